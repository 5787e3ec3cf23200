import { type Level, type TopicOfRequirements, requirements, topics } from '@storeport/conformance'

/** Titles and API reference sections of the topics that are not endpoints. */
const pages: Readonly<Record<string, { readonly title: string; readonly section?: string }>> = {
  emails: { title: 'Email addresses', section: 'requests' },
  bodies: { title: 'Request bodies', section: 'requests' },
  responses: { title: 'Responses', section: 'responses' },
  http: { title: 'Connections', section: 'requests' },
  authentication: { title: 'API key', section: 'authentication' },
  fields: { title: 'Request fields', section: 'requests' },
  retries: { title: 'Retries', section: 'retries' },
  queries: { title: 'Queries', section: 'requests' },
  testMode: { title: 'Test mode', section: 'test-mode' },
  dates: { title: 'Dates', section: 'requests' },
  routing: { title: 'Paths and methods', section: 'requests' },
  privacy: { title: 'Privacy', section: 'responses' },
  headers: { title: 'Response headers', section: 'responses' },
  hostile: { title: 'Hostile and unusual input' },
  errors: { title: 'Errors', section: 'common-errors' },
  stress: { title: 'Concurrent requests' },
  clicks: { title: 'Retries of every endpoint' },
  items: { title: 'Item ids' },
  customers: { title: 'Customers' },
  state: { title: 'Changes' },
  explore: { title: 'Sequences of changes' },
}

/** Returns the title and the section of a topic. The API reference has a section for each endpoint. */
function pageOf({ name }: TopicOfRequirements): { readonly title: string; readonly section?: string } {
  return pages[name] ?? { title: name, section: name.toLowerCase() }
}

/** Generates the contract page in Markdown: a line for each requirement, by topic. */
export function toContractPage(): string {
  const all = Object.values(requirements)
  const count = (wanted: Level) => all.filter(({ level }) => level === wanted).length
  return [
    '# The contract',
    '',
    `The email platform can rely on these ${all.length} requirements, which the [conformance kit](conformance.md) tests.`,
    '',
    `- **must** (${count('must')}): specified by the platform. Each topic links its specification.`,
    `- **risk** (${count('risk')}): not specified, but a failure can harm customers.`,
    `- All others (${count('should')}) are recommendations of StorePort.`,
    '',
    '`storeport-conformance --explain AUTH-4` explains a requirement, and `--only AUTH-4` runs its checks.',
    ...topics.flatMap((topic) => ['', `## ${pageOf(topic).title}`, '', ...linesOf(topic)]),
    '',
  ].join('\n')
}

function linesOf(topic: TopicOfRequirements): readonly string[] {
  const { section } = pageOf(topic)
  const entries = Object.entries(topic.requirements)
  const hasMust = entries.some(([, { level }]) => level === 'must')
  return [
    ...(hasMust && section !== undefined ? [`[Specification](api.md#${section})`, ''] : []),
    ...entries.map(([id, { sentence, level }]) => `- ${id}${level === 'should' ? '' : ` **${level}**`}: ${sentence}`),
  ]
}
