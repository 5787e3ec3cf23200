import { should } from '../../engine/requirement.ts'

/** What holds below the API: of connections, lengths and what HTTP forbids. */
export const requirements = {
  'HTTP-2': should(
    'A request whose length is said twice, wrongly, or also in chunks is refused and has no effect.',
    'http',
    'The first, the last or the larger of two lengths counts: a proxy in front may have read another one.',
  ),
  'HTTP-3': should(
    'A body in chunks is read, with extensions and trailers; one whose chunks are malformed is refused and has no effect.',
    'http',
    'Chunks are taken apart by hand, by their simplest form alone.',
  ),
  'HTTP-4': should(
    'Of a target that is an absolute address the path counts.',
    'http',
    'The whole target is compared with the paths: calls through some proxies are 404.',
  ),
  'HTTP-5': should(
    '`Expect: 100-continue` is answered with `100 Continue` or the final answer, before the body is there.',
    'http',
    'The header is not looked at: callers that send it wait a second or more before each body.',
  ),
  'HTTP-6': should(
    'CONNECT is refused, and a request to change the protocol is answered in the one that there is.',
    'http',
    'A proxy or a WebSocket library listens on the same server.',
  ),
  'HTTP-7': should(
    'A body on a GET is passed over: it fills no field and is not taken for the next request.',
    'http',
    'The body is left on the connection, where the next request is expected.',
  ),
  'HTTP-8': should(
    'A call whose body is not there as a whole has no effect.',
    'http',
    'What has arrived when the connection ends is taken for the body.',
  ),
  'HTTP-9': should(
    'What the HTTP parser refuses has the headers of every answer, and the connection is closed after it.',
    'http',
    'The refusal of the parser is written by hand, or by the framework.',
  ),
  'HTTP-10': should(
    'What HTTP forbids is refused: no `Host` or two, a space before a colon, a NUL, an unknown transfer coding.',
    'http',
    'The parser is lenient, so that it may read a request otherwise than a proxy in front of it.',
  ),
  'HTTP-11': should(
    'Calls that are sent one behind the other on a connection are answered in their order.',
    'http',
    'The second call is read off the connection with the first one and lost, or is answered first.',
  ),
} as const
