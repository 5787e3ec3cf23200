import { at, of, page, replaceText, withHeader } from '../messages.ts'
import type { Mutant } from '../mutant.ts'
import { yenShop } from '../yen-shop.ts'

/** What answers look like: envelope and data. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'an action answers with the subscription besides `success`',
    caughtBy: 'answers.of-actions-are-success-alone',
    answer: at('/delay', replaceText('{"success":true}', '{"success":true,"data":{"id":"sub_1"}}')),
  },
  {
    defect: 'a 404 is a web page of the framework',
    caughtBy: 'answers.are-json',
    answer: of(404, () => page(404, 'Not Found')),
  },
  {
    defect: 'a 400 is plain text',
    caughtBy: 'answers.are-json',
    answer: of(400, (answered) => ({ ...answered, headers: [['Content-Type', 'text/plain']], body: 'Bad Request' })),
  },
  {
    defect: 'JSON is sent as text/html',
    caughtBy: 'answers.are-json',
    answer: (answered) => withHeader(answered, 'Content-Type', 'text/html; charset=utf-8'),
  },
  {
    defect: '`error` is a text',
    caughtBy: 'answers.are-either-success-or-error',
    answer: replaceText(/"error":\{.*\}\}/g, '"error":"Something is wrong."}'),
  },
  {
    defect: 'errors have no message',
    caughtBy: 'answers.are-either-success-or-error',
    answer: replaceText(/,"message":".*"\}\}/g, '}}'),
  },
  {
    defect: 'the error code is the status, a number',
    caughtBy: 'answers.are-either-success-or-error',
    answer: (answered, sent) => replaceText(/"code":"\w+"/g, `"code":${answered.status}`)(answered, sent),
  },
  {
    defect: 'errors lack `success`',
    caughtBy: 'answers.are-either-success-or-error',
    answer: replaceText('"success":false,', ''),
  },
  {
    defect: 'errors carry the stack in a field of their own',
    caughtBy: 'answers.of-errors-hold-nothing-else',
    answer: replaceText(/"message":/g, '"stack":"…","message":'),
  },
  {
    defect: 'prices carry the noise of floating-point numbers',
    caughtBy: 'answers.hold-no-more-decimals-than-the-currency',
    answer: replaceText(/"price":([\d.]+)/g, '"price":$1000000000003'),
  },
  {
    defect: 'prices in dollars have three decimals',
    caughtBy: 'answers.hold-no-more-decimals-than-the-currency',
    answer: replaceText(/"price":(\d+)\.(\d\d)\b/g, '"price":$1.$25'),
  },
  {
    defect: 'prices in yen have decimals',
    caughtBy: 'answers.hold-no-more-decimals-than-the-currency',
    ...yenShop,
    answer: replaceText(/"price":(\d+)\b/g, '"price":$1.5'),
  },
  {
    defect: 'the purchase price is sent along',
    caughtBy: 'answers.of-reads-hold-no-unknown-field',
    answer: replaceText(/"price":([\d.]+)/g, '"price":$1,"cost":4.2'),
  },
]
