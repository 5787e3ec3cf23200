import { at, of, page, replaceText, withHeader } from '../messages.ts'
import { listMutants } from '../list-mutants.ts'
import { yenShop } from '../yen-shop.ts'

export const mutants = listMutants({
  bodies: {
    '`error` is a text': (body) => body.replaceAll(/"error":\{.*\}\}/g, '"error":"Something is wrong."}'),
    'errors have no message': (body) => body.replaceAll(/,"message":".*"\}\}/g, '}}'),
    'errors lack `success`': (body) => body.replaceAll('"success":false,', ''),
    'errors carry the stack in a field of their own': (body) =>
      body.replaceAll(/"message":/g, '"stack":"…","message":'),
    'prices carry the noise of floating-point numbers': (body) =>
      body.replaceAll(/"price":([\d.]+)/g, '"price":$1000000000003'),
    'prices in dollars have three decimals': (body) => body.replaceAll(/"price":(\d+)\.(\d\d)\b/g, '"price":$1.$25'),
    'the purchase price is sent along': (body) => body.replaceAll(/"price":([\d.]+)/g, '"price":$1,"cost":4.2'),
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
      ...answered,
      headers: [['Content-Type', 'text/plain']],
      body: 'Bad Request',
    })),
    'JSON is sent as text/html': (answered) => withHeader(answered, 'Content-Type', 'text/html; charset=utf-8'),
    'the error code is the status, a number': (answered, sent) =>
      replaceText(/"code":"\w+"/g, `"code":${answered.status}`)(answered, sent),
  },
  several: {
    'prices in yen have decimals': {
      ...yenShop,
      answer: replaceText(/"price":(\d+)\b/g, '"price":$1.5'),
    },
  },
})
