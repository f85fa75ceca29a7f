"""Small pieces of specifications, and the schema that checks whole ones."""

import jsonschema

from tightrope.spec.schema import schema

LAPLACE = '{ mechanism = "laplace", noise_scale = 2 }'
VALIDATOR = jsonschema.Draft202012Validator(schema())
ONE = f"release = [{LAPLACE}]\n"
