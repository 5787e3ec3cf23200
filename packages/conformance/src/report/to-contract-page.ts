import { checks, requirements, topics } from '../topics.ts'

/** How many checks of one name, each of another endpoint, are listed at most; more are shown by that name. */
const mostByName = 3

/** The contract as a page in Markdown: every requirement with its source and the checks that hold it. */
export function toContractPage(): string {
  const all = Object.values(requirements)
  const must = all.filter(({ level }) => level === 'must').length
  return [
    '# The contract',
    '',
    'What a caller can rely on, sentence by sentence, and the checks that hold it. A `must` is specified by',
    'the caller; a `should` was decided where the caller specifies nothing. This page is made from the table that the',
    '[conformance kit](conformance.md) works with.',
    '',
    `${all.length} requirements: ${must} \`must\`, ${all.length - must} \`should\`. ${checks.length} checks.`,
    ...topics.flatMap((topic) => ['', `## ${topic.title}`, '', ...tableOf(topic)]),
    '',
    'To make the checks of one requirement: `storeport-conformance https://shop.example --only AUTH-4`.',
    '',
  ].join('\n')
}

function tableOf({ section, requirements: group }: (typeof topics)[number]): readonly string[] {
  const rows = Object.entries(group).map(([id, { sentence, source, level }]) => {
    const linked = level === 'should' || section === undefined ? source : `[${source}](api.md#${section})`
    return row([id, sentence, level, linked, checksOf(id).join('<br>')])
  })
  return [row(['id', 'what holds', 'level', 'source', 'checks']), row(['---', '---', '---', '---', '---']), ...rows]
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

/** The checks of a requirement; those of many endpoints that have one name are shown once. */
function checksOf(requirement: string): readonly string[] {
  const ids = checks.filter(({ requirements: cited }) => isIn(cited, requirement)).map(({ id }) => id)
  const names = [...new Set(ids.map(nameOf))]
  return names.flatMap((name) => {
    const same = ids.filter((id) => nameOf(id) === name)
    return same.length <= mostByName ? same.map((id) => `\`${id}\``) : [`\`*.${name}\` (${same.length})`]
  })
}

/** The part of a check's id that says what holds. */
function nameOf(id: string): string {
  return id.slice(id.indexOf('.') + 1)
}

function isIn(ids: readonly string[], id: string): boolean {
  return ids.includes(id)
}
