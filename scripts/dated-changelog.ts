/** Moves the unreleased changes under a heading with version and date; returns `undefined` if there are no changes. */
export function datedChangelog(text: string, version: string, date: Date): string | undefined {
  const heading = '## Unreleased\n'
  const [before = '', after] = text.split(heading)
  const news = after?.split(/^## /m)[0]?.trim() ?? ''
  if (after === undefined || news === '') return undefined
  return `${before}${heading}\n## ${version} (${date.toISOString().slice(0, 10)})\n${after}`
}
