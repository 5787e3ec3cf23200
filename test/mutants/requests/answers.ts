import { listMutants } from '../list-mutants.ts'
import { at, failure, header, of, page, replaceText, withHeader } from '../messages.ts'
import { yenShop } from '../mutant.ts'

/** Defects in the format, the headers and the errors of responses. */
export const mutants = listMutants({
  bodies: {
    '`error` is a text': [/"error":\{.*\}\}/g, '"error":"Something is wrong."}'],
    'errors have no message': [/,"message":".*"\}\}/g, '}}'],
    'errors lack `success`': ['"success":false,', ''],
    'errors carry the stack in a field of their own': [/"message":/g, '"stack":"…","message":'],
    'prices carry the noise of floating-point numbers': [/"price":([\d.]+)/g, '"price":$1000000000003'],
    'prices in dollars have three decimals': [/"price":(\d+)\.(\d\d)\b/g, '"price":$1.$25'],
    'the purchase price is sent along': [/"price":([\d.]+)/g, '"price":$1,"cost":4.2'],
  },
  crashes: {
    'an unexpected input ends in an exception': ({ query, body = '' }) => /%00|\\u0000/.test(query + body),
  },
  request: {
    'an exception is answered as a fault of the server in the right form': (sent) =>
      sent.body?.includes('DROP TABLE') === true ? failure(500, 'internal_error') : sent,
    'the request id of the caller is not kept': (sent) => withHeader(sent, 'X-Request-Id'),
  },
  answer: {
    'an action answers with the subscription besides `success`': at(
      '/delay',
      replaceText('{"success":true}', '{"success":true,"data":{"id":"sub_1"}}'),
    ),
    'a successful action has no body': (answered, { method }) =>
      method === 'POST' && answered.status === 200 ? { ...answered, body: '' } : answered,
    'a 404 is a web page of the framework': of(404, () => page(404, 'Not Found')),
    'a 400 is plain text': of(400, (answered) => ({
      ...withHeader(answered, 'Content-Type', 'text/plain'),
      body: 'Bad Request',
    })),
    'JSON is sent as text/html': (answered) => withHeader(answered, 'Content-Type', 'text/html; charset=utf-8'),
    'the error code is the status, a number': (answered, sent) =>
      replaceText(/"code":"\w+"/g, `"code":${answered.status}`)(answered, sent),
    'messages hold the stack': of(400, replaceText(/"message":"/g, '"message":"Error at parse (/app/server.js:10:5) ')),
    'messages repeat the email address': of(404, (answered, sent) =>
      replaceText('this email address', decodeURIComponent(sent.query))(answered, sent),
    ),
    'the content type has no charset': (answered) => withHeader(answered, 'Content-Type', 'application/json'),
    'answers to actions have another content type': of(200, (answered, sent) =>
      sent.method === 'POST' ? withHeader(answered, 'Content-Type', 'application/json') : answered,
    ),
    'answers may be cached': (answered) => withHeader(answered, 'Cache-Control', 'max-age=60'),
    'answers may be sniffed': (answered) => withHeader(answered, 'X-Content-Type-Options'),
    'errors have no request id': of(400, (answered) => withHeader(answered, 'X-Request-Id')),
    'all answers have the same request id': (answered) => withHeader(answered, 'X-Request-Id', 'request-1'),
    'any request id is echoed': (answered, sent) =>
      withHeader(answered, 'X-Request-Id', header(sent, 'X-Request-Id') ?? header(answered, 'X-Request-Id')),
    'any site may read the answers': (answered) => withHeader(answered, 'Access-Control-Allow-Origin', '*'),
  },
  several: {
    'prices in yen have decimals': { ...yenShop, answer: replaceText(/"price":(\d+)\b/g, '"price":$1.5') },
  },
})
