import { of, page, failure, replaceText } from '../messages.ts'
import { listMutants } from '../list-mutants.ts'

export const mutants = listMutants({
  answer: {
    'messages hold the stack': of(400, replaceText(/"message":"/g, '"message":"Error at parse (/app/server.js:10:5) ')),
    'messages repeat the email address': of(404, (answered, sent) =>
      replaceText('this email address', decodeURIComponent(sent.query))(answered, sent),
    ),
    'an unexpected input ends in an exception': (answered, { query, body = '' }) =>
      /%00|\\u0000/.test(query + body) ? page(500) : answered,
    'an exception is answered as a fault of the server in the right form': (answered, { body = '' }) =>
      body.includes('DROP TABLE') ? failure(500, 'internal_error') : answered,
  },
})
