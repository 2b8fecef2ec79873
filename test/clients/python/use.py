"""Uses the client that openapi-python-client generated: a drawing, a refusal, a missing key."""

import io
import sys
from http import HTTPStatus

from generated import AuthenticatedClient, Client
from generated.api.health import ready
from generated.api.vectorize import vectorize
from generated.models import Drawing, Options, OptionsMode, Problem, VectorizeRequest
from generated.types import File

base_url, key, picture = sys.argv[1:]
client = AuthenticatedClient(base_url=base_url, token=key)


def send(client, options):
    with open(picture, "rb") as content:
        file = File(payload=io.BytesIO(content.read()), file_name="picture.png", mime_type="image/png")
    return vectorize.sync_detailed(client=client, body=VectorizeRequest(file=file, config=options))


health = ready.sync(client=Client(base_url=base_url))
assert health.status == "ok", health

drawn = send(client, Options(mode=OptionsMode.POLYGON, filter_speckle=8))
assert drawn.status_code == HTTPStatus.OK, drawn
assert isinstance(drawn.parsed, Drawing) and drawn.parsed.svg.startswith("<svg "), drawn
assert drawn.parsed.processing_time > 0

refused = send(client, Options(color_precision=9))
assert isinstance(refused.parsed, Problem) and refused.parsed.code == "invalid_config", refused
assert refused.parsed.errors[0].pointer == "/colorPrecision", refused

nobody = send(AuthenticatedClient(base_url=base_url, token="wrong"), Options())
assert nobody.status_code == HTTPStatus.UNAUTHORIZED and nobody.parsed.code == "invalid_api_key", nobody
