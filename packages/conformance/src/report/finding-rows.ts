import type { Finding } from './report.ts'

/** One line of what is told about a finding. */
export interface FindingRow {
  /** What it is called. */
  readonly name: string
  /** What it says; in words, backticks stand for code. */
  readonly value: string
  /** Whether it is text for machines rather than words. */
  readonly isCode: boolean
}

/** What every output tells about a finding, in this order; what a shop sent stays as it came, so each output escapes it. */
export function findingRows(finding: Finding): readonly FindingRow[] {
  const { curl, answer, received, expected, requirement, source, reference, sentence, reason, cause } = finding
  const isFoundApart = answer !== null && !isWholeAnswer(received, answer.body)
  return [
    ...(curl === null ? [] : [code('call', curl)]),
    code(
      'came back',
      answer === null ? received : `${answer.status} ${answer.body === '' ? 'without a body' : answer.body}`,
    ),
    code('expected', expected.replaceAll('`', '')),
    ...(isFoundApart ? [code('found', received)] : []),
    words('says so', `${requirement}, ${source}: ${sentence}${reference === null ? '' : ` See ${reference}.`}`),
    words('because', reason),
    words('usually', cause),
  ]
}

function code(name: string, value: string): FindingRow {
  return { name, value, isCode: true }
}

function words(name: string, value: string): FindingRow {
  return { name, value, isCode: false }
}

/** Whether what was found is the answer as a whole, which is shown already. */
function isWholeAnswer(received: string, body: string): boolean {
  return received === 'something else' || /^\d{3} /.test(received) || received === body
}
