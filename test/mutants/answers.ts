import { at, fieldsOf, header, isRecord, of, page, refusal, replaced, withFields, withHeader } from './messages.ts'
import type { Mutant } from './mutant.ts'

/** What answers look like: envelope, errors, headers, data. */
export const answers: readonly Mutant[] = [
  {
    defect: 'the data is sent without the envelope',
    caughtBy: 'listProducts.answers-with-products',
    answer: of(200, (answered) => withFields(answered, ({ data = {}, ...rest }) => (isRecord(data) ? data : rest))),
  },
  {
    defect: 'the envelope says `ok` rather than `success`',
    caughtBy: 'getSubscription.answers-with-a-subscription',
    answer: replaced('"success":true', '"ok":true'),
  },
  {
    defect: '`success` is a text',
    caughtBy: 'getDiscount.answers-with-a-discount',
    answer: replaced('"success":true', '"success":"true"'),
  },
  {
    defect: '`data` is called `result`',
    caughtBy: 'listCancelledSubscriptions.answers-with-subscriptions',
    answer: replaced('"data":', '"result":'),
  },
  {
    defect: 'an action answers with the subscription beside `success`',
    caughtBy: 'answers.of-actions-are-success-alone',
    answer: at('/delay', replaced('{"success":true}', '{"success":true,"data":{"id":"sub_1"}}')),
  },
  {
    defect: 'an action answers `{"success":true,"data":null}`',
    caughtBy: 'sendNow.bills-again-after-the-interval',
    answer: at('/send-now', replaced('{"success":true}', '{"success":true,"data":null}')),
  },
  {
    defect: 'an action answers 204 without a body',
    caughtBy: 'addProduct.adds-a-new-product',
    answer: at(
      '/add-product',
      of(200, (answered) => ({ ...answered, status: 204, body: '' })),
    ),
  },
  {
    defect: 'an action answers 201',
    caughtBy: 'reactivateSubscription.makes-it-active',
    answer: at(
      '/reactivate/subscription',
      of(200, (answered) => ({ ...answered, status: 201 })),
    ),
  },
  {
    defect: 'errors are sent with status 200',
    caughtBy: 'getSubscription.knows-its-customers',
    answer: (answered) => ({ ...answered, status: 200 }),
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
    defect: 'the content type has no charset',
    caughtBy: 'answers.have-one-content-type',
    answer: (answered) => withHeader(answered, 'Content-Type', 'application/json'),
  },
  {
    defect: 'answers to actions have another content type',
    caughtBy: 'answers.of-actions-have-the-headers-too',
    answer: of(200, (answered, sent) =>
      sent.method === 'POST' ? withHeader(answered, 'Content-Type', 'application/json') : answered,
    ),
  },
  {
    defect: 'answers may be cached',
    caughtBy: 'answers.are-not-stored',
    answer: (answered) => withHeader(answered, 'Cache-Control', 'max-age=60'),
  },
  {
    defect: 'answers may be sniffed',
    caughtBy: 'answers.are-not-sniffed',
    answer: (answered) => withHeader(answered, 'X-Content-Type-Options'),
  },
  {
    defect: 'errors have no request id',
    caughtBy: 'answers.have-a-request-id',
    answer: of(400, (answered) => withHeader(answered, 'X-Request-Id')),
  },
  {
    defect: 'all answers have the same request id',
    caughtBy: 'answers.have-a-request-id',
    answer: (answered) => withHeader(answered, 'X-Request-Id', 'request-1'),
  },
  {
    defect: 'the request id of the caller is not kept',
    caughtBy: 'answers.echo-the-request-id',
    request: (sent) => withHeader(sent, 'X-Request-Id'),
  },
  {
    defect: 'any request id is echoed',
    caughtBy: 'answers.replace-a-strange-request-id',
    answer: (answered, sent) =>
      withHeader(answered, 'X-Request-Id', header(sent, 'X-Request-Id') ?? header(answered, 'X-Request-Id')),
  },
  {
    defect: 'any site may read the answers',
    caughtBy: 'answers.have-no-cors-header',
    answer: (answered) => withHeader(answered, 'Access-Control-Allow-Origin', '*'),
  },
  {
    defect: '`error` is a text',
    caughtBy: 'answers.are-either-success-or-error',
    answer: replaced(/"error":\{.*\}\}/g, '"error":"Something is wrong."}'),
  },
  {
    defect: 'errors have no message',
    caughtBy: 'answers.are-either-success-or-error',
    answer: replaced(/,"message":".*"\}\}/g, '}}'),
  },
  {
    defect: 'the error code is the status, a number',
    caughtBy: 'answers.are-either-success-or-error',
    answer: (answered, sent) => replaced(/"code":"\w+"/g, `"code":${answered.status}`)(answered, sent),
  },
  {
    defect: 'errors lack `success`',
    caughtBy: 'answers.are-either-success-or-error',
    answer: replaced('"success":false,', ''),
  },
  {
    defect: 'errors carry the stack in a field of their own',
    caughtBy: 'answers.of-errors-hold-nothing-else',
    answer: replaced(/"message":/g, '"stack":"…","message":'),
  },
  {
    defect: 'messages hold the stack',
    caughtBy: 'errors.hold-no-stack-trace',
    answer: of(400, replaced(/"message":"/g, '"message":"Error at parse (/app/server.js:10:5) ')),
  },
  {
    defect: 'messages repeat the email address',
    caughtBy: 'errors.hold-no-email-address',
    answer: of(404, (answered, sent) => replaced('with this email', decodeURIComponent(sent.query))(answered, sent)),
  },
  {
    defect: 'an unexpected input ends in an exception',
    caughtBy: 'errors.are-never-the-fault-of-the-server',
    answer: (answered, { query, body = '' }) => (/%00|\\u0000/.test(query + body) ? page(500) : answered),
  },
  {
    defect: 'an exception is told as a fault of the server in the right form',
    caughtBy: 'errors.are-never-the-fault-of-the-server',
    answer: (answered, { body = '' }) => (body.includes('DROP TABLE') ? refusal(500, 'internal_error') : answered),
  },
  {
    defect: 'the codes are those of the shop',
    caughtBy: 'getSubscription.refuses-a-missing-field',
    answer: replaced('invalid_request', 'BAD_REQUEST'),
  },
  {
    defect: 'an invalid request is 422',
    caughtBy: 'delaySubscription.coerces-no-type',
    answer: of(400, (answered) => ({ ...answered, status: 422 })),
  },
  {
    defect: 'the message does not say which field is wrong',
    caughtBy: 'addProduct.refuses-a-missing-field',
    answer: of(400, replaced(/"message":"[^"]*"/g, '"message":"The request is not valid."')),
  },
  {
    defect: 'prices are texts',
    caughtBy: 'listProducts.answers-with-products',
    answer: replaced(/"price":([\d.]+)/g, '"price":"$1"'),
  },
  {
    defect: 'prices are in minor units',
    caughtBy: 'listProducts.lists-every-available-product',
    answer: replaced(/"price":(\d+)\.(\d\d)/g, '"price":$1$2'),
  },
  {
    defect: 'prices carry the noise of floating-point numbers',
    caughtBy: 'answers.hold-amounts-with-two-decimals',
    answer: replaced(/"price":([\d.]+)/g, '"price":$1000000000003'),
  },
  {
    defect: 'ids are numbers',
    caughtBy: 'listProducts.answers-with-products',
    answer: replaced(/"id":"test_(\d+)"/g, '"id":$1'),
  },
  {
    defect: 'a single image is sent as a text',
    caughtBy: 'getSubscription.answers-with-a-subscription',
    answer: replaced(/"images":\[("[^"]*")\]/g, '"images":$1'),
  },
  {
    defect: 'image addresses are relative',
    caughtBy: 'listProducts.answers-with-products',
    answer: replaced('http://localhost:3000', ''),
  },
  {
    defect: 'a product without an image has no `images`',
    caughtBy: 'listProducts.answers-with-products',
    answer: replaced(/,"images":\[[^\]]*\]/g, ''),
  },
  {
    defect: 'quantities are texts',
    caughtBy: 'getSubscription.answers-with-a-subscription',
    answer: replaced(/"quantity":(\d+)/g, '"quantity":"$1"'),
  },
  {
    defect: 'an absent description is `null`',
    caughtBy: 'listProducts.answers-with-products',
    answer: replaced('"title":', '"description":null,"title":'),
  },
  {
    defect: 'titles are called `name`',
    caughtBy: 'listCancelledSubscriptions.answers-with-subscriptions',
    answer: replaced('"title":', '"name":'),
  },
  {
    defect: 'the purchase price is sent along',
    caughtBy: 'answers.of-reads-hold-no-unknown-field',
    answer: replaced(/"price":([\d.]+)/g, '"price":$1,"cost":4.2'),
  },
  {
    defect: 'the billing date has a time',
    caughtBy: 'getSubscription.answers-with-a-subscription',
    answer: replaced(/"next_billing_date":"([\d-]+)"/g, '"next_billing_date":"$1T00:00:00.000Z"'),
  },
  {
    defect: 'the tax rate is a percentage',
    caughtBy: 'getSubscription.tells-the-tax-rate-as-a-decimal',
    answer: replaced('"customer_tax_rate":0.08', '"customer_tax_rate":8'),
  },
  {
    defect: 'all items have one id',
    caughtBy: 'getSubscription.answers-with-a-subscription',
    answer: at('/customer-portal/subscription', replaced(/"id":"item_\d"/g, '"id":"item_1"')),
  },
  {
    defect: 'the list of products is `data` itself',
    caughtBy: 'listProducts.answers-with-products',
    answer: at('/upsells/products', (answered) => {
      const { data } = fieldsOf(answered)
      return withFields(answered, (fields) => ({ ...fields, data: isRecord(data) ? data['products'] : data }))
    }),
  },
  {
    defect: 'a personal list has another form than the general one',
    caughtBy: 'listProducts.answers-a-customer-in-the-same-form',
    answer: at('/upsells/products', (answered, sent) => {
      return sent.query === '' ? answered : replaced('"products":', '"recommendations":')(answered, sent)
    }),
  },
  {
    defect: 'the products of a cancelled subscription are called `items`',
    caughtBy: 'listCancelledSubscriptions.answers-with-subscriptions',
    answer: at('/cancelled-subscriptions', replaced('"products":', '"items":')),
  },
]
