import type { Mutant } from '../mutant.ts'
import type { Flaw } from '../over-sockets/flaw.ts'

/** What a hand-written HTTP server does wrong, with the check that sees it. */
const caughtBy: Readonly<Record<Flaw, string>> = {
  'takes the first of two lengths': 'http.refuses-conflicting-lengths',
  'takes the last of two lengths': 'http.refuses-conflicting-lengths',
  'takes a length for a number as far as it is one': 'http.refuses-conflicting-lengths',
  'reads by the length where there are chunks too': 'http.refuses-conflicting-lengths',
  'reads by the chunks where there is a length too': 'http.refuses-conflicting-lengths',
  'takes the size of a chunk for a number as far as it is one': 'http.refuses-broken-chunks',
  'looks for no line end behind a chunk': 'http.refuses-broken-chunks',
  'knows no extensions of chunks': 'http.reads-chunks',
  'takes trailers for the next request': 'http.reads-chunks',
  'knows sizes of chunks in lower case alone': 'http.reads-chunks',
  'takes what is there for the body when the connection ends': 'http.counts-no-short-body',
  'ends chunks where the connection ends': 'http.refuses-broken-chunks',
  'compares an absolute target as a whole': 'http.reads-absolute-targets',
  'knows an absolute target of its own host alone': 'http.reads-absolute-targets',
  'never says 100 Continue': 'http.answers-expect-continue',
  'answers Expect with 417': 'http.answers-expect-continue',
  'answers CONNECT with 200': 'http.opens-no-tunnel',
  'switches protocols for whoever asks': 'http.opens-no-tunnel',
  'closes the connection of whoever asks for another protocol': 'http.opens-no-tunnel',
  'leaves the body of a GET on the connection': 'http.passes-over-a-body-on-get',
  'refuses a body on a GET and goes on': 'http.passes-over-a-body-on-get',
  'reads fields of a GET from its body': 'http.passes-over-a-body-on-get',
  'reads one request at a time': 'http.serves-others-beside-a-slow-body',
  'drops what comes behind a request in one piece': 'http.answers-pipelined-calls-in-order',
  'answers the last of several requests first': 'http.answers-pipelined-calls-in-order',
  'trims the names of headers': 'http.refuses-malformed-headers',
  'takes any line for a header': 'http.refuses-malformed-headers',
  'takes any byte in a header': 'http.refuses-malformed-headers',
  'takes any request line': 'http.refuses-malformed-headers',
  'needs no Host': 'http.refusals-have-the-usual-headers',
  'takes the first of two Hosts': 'http.refusals-have-the-usual-headers',
  'takes any transfer coding for none': 'http.refusals-have-the-usual-headers',
  'refuses with a web page': 'http.refusals-have-the-usual-headers',
  'refuses without Cache-Control': 'http.refusals-have-the-usual-headers',
  'refuses without nosniff': 'http.refusals-have-the-usual-headers',
  'refuses without a request id': 'http.refusals-have-the-usual-headers',
  'refuses as text': 'http.refusals-have-the-usual-headers',
  'keeps the connection open behind a refusal': 'http.refusals-have-the-usual-headers',
}

/** What happens below the API, on connections. */
export const mutants: readonly Mutant[] = entriesOf(caughtBy).map(([flaw, check]) => ({
  defect: `the HTTP server ${flaw}`,
  caughtBy: check,
  flaw,
}))

function entriesOf<Key extends string>(table: Readonly<Record<Key, string>>): readonly (readonly [Key, string])[] {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the table is written out above
  return Object.entries(table) as [Key, string][]
}
