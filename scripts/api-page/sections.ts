import { endpointNames, endpointRow, errors as allErrors, isErrorCode, type WidgetName } from '@storeport/core'
import { causeOf, type DescribedEndpoint } from '@storeport/core/openapi'
import { table } from '../markdown-table.ts'
import { described, makeExamples } from './examples.ts'

/** Guide page about the endpoints of each widget. */
const guides: Readonly<Record<WidgetName, string>> = {
  upsells: 'your-store/upsells.md',
  portal: 'your-store/portal.md',
  reactivate: 'your-store/reactivate.md',
  customAction: 'your-store/custom-actions.md',
  discounts: 'your-store/discounts.md',
}

/** Returns a Markdown section for each endpoint, with an example request and its real response. */
export async function endpointSections(): Promise<string> {
  const examples = await makeExamples()
  return described.map((endpoint) => endpointSection(endpoint, examples.get(endpoint.name))).join('\n\n')
}

/** Returns a Markdown list of the errors that are not specific to an endpoint. */
export function commonErrors(): string {
  const own = new Set<string>(endpointNames.flatMap((name) => endpointRow(name).errors))
  return errorList(Object.keys(allErrors).filter((code) => !own.has(code)))
}

function endpointSection(endpoint: DescribedEndpoint, answer: unknown): string {
  const { name, path, row, description, inputRows, dataRows, curl } = endpoint
  return [
    `## ${name}`,
    `\`${row.method} ${path}\``,
    description,
    table([row.method === 'POST' ? 'field' : 'query parameter', 'type', 'meaning'], inputRows),
    ...(dataRows.length === 0 ? [] : [table(['field of `data`', 'type', 'meaning'], dataRows)]),
    fence('sh', curl('$SHOP')),
    fence('json', writeJson(answer)),
    ...(row.errors.length === 0 ? [] : ['Errors:', errorList(row.errors)]),
    [...retryNote(row.retryWindowMs), `Implementation: [guide](${guides[row.widget]}).`].join(' '),
  ].join('\n\n')
}

function errorList(codes: readonly string[]): string {
  return codes
    .filter(isErrorCode)
    .toSorted((one, other) => allErrors[one].status - allErrors[other].status)
    .map((code) => `- ${allErrors[code].status} \`${code}\`: ${causeOf(code)}`)
    .join('\n')
}

function retryNote(windowMs: number | undefined): string[] {
  if (windowMs === undefined) return []
  const time = windowMs >= 60_000 ? `${windowMs / 60_000} minutes` : `${windowMs / 1000} seconds`
  return [`A repeated click within ${time} of a success [takes effect once](retries.md).`]
}

/** Formats JSON, with arrays of one string and `{ "success": true }` on one line. */
function writeJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replaceAll(/\[\s+("[^"]*")\s+\]/g, '[$1]')
    .replace(/^\{\s+("success": true)\s+\}$/, '{ $1 }')
}

function fence(language: string, text: string): string {
  return ['```' + language, text, '```'].join('\n')
}
