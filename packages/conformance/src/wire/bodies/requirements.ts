import { must, should } from '../../engine/requirement.ts'

/** How a body is read. */
export const requirements = {
  'BODY-1': must(
    'A POST with `Content-Type: application/json`, with any parameters, is read.',
    'bodies',
    'The content type is compared as a whole, without regard to parameters and letter case.',
  ),
  'BODY-2': should(
    'A POST with another content type, or none, is 415 `unsupported_media_type`.',
    'bodies',
    'The body is parsed as JSON whatever its content type says, or as a form.',
  ),
  'BODY-3': should(
    'A body of more than 64 KiB, counted in bytes, is 413 `payload_too_large`.',
    'bodies',
    'The body has no limit, or another one, or only the announced length is looked at.',
  ),
  'BODY-4': should(
    'A body of exactly 64 KiB is read.',
    'bodies',
    'The limit of the body parser or of a proxy is smaller.',
  ),
  'BODY-5': should(
    'A body that is empty or is no JSON is 400 `invalid_request`.',
    'bodies',
    'The exception of the JSON parser is not caught, or an empty body counts as an empty object.',
  ),
  'BODY-6': should(
    'A body that is JSON but no object is 400 `invalid_request`.',
    'bodies',
    'The body is used as an object without asking whether it is one.',
  ),
  'BODY-7': should(
    'A leading byte-order mark is ignored.',
    'bodies',
    'The JSON parser does not know byte-order marks.',
  ),
  'BODY-8': should(
    'Of a field that is sent twice the last one counts.',
    'bodies',
    'The JSON parser keeps the first of two, or refuses them.',
  ),
  'BODY-9': should(
    'Fields that the contract does not name are ignored, however deep they are.',
    'bodies',
    'The schema is strict, or the whole body is walked recursively.',
  ),
  'BODY-10': should(
    'A field called `__proto__` or `constructor` has no effect.',
    'bodies',
    'The body is merged into an object without regard to `__proto__`.',
  ),
  'BODY-11': should(
    'The fields of a POST are read from its body, never from its query.',
    'bodies',
    'Query and body are merged into one set of parameters.',
  ),
  'BODY-12': should(
    'A request is looked at in this order: key, path, method, content type, size, JSON, fields, shop.',
    'bodies',
    'Fields are looked at before the type or the size of the body.',
  ),
  'BODY-13': should(
    'A body that is no JSON is told apart from an empty object: what is wrong is not that a field is missing.',
    'bodies',
    'The exception of the JSON parser is caught, and the body then counts as `{}`.',
  ),
} as const
