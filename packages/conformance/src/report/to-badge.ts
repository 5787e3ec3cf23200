import type { Report } from './report.ts'

/** Start of every badge, by which an earlier badge is recognized. */
export const badgeStart = '<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="StorePort'

/** Width of a character in the badge, in pixels. */
const letterWidth = 7

/** Formats a READY report as a badge in SVG: the version of the contract and the day of the run. Throws TypeError otherwise. */
export function toBadge({ verdict, contract, startedAt }: Pick<Report, 'verdict' | 'contract' | 'startedAt'>): string {
  if (verdict !== 'READY')
    throw new TypeError(`a badge requires the verdict READY, not ${verdict ?? 'selected checks'}`)
  const label = `StorePort ${contract}`
  const value = `READY ${startedAt.slice(0, 10)}`
  const left = widthOf(label)
  const right = widthOf(value)
  const width = left + right
  return `${badgeStart} ${contract}: ${value}" width="${width}" height="20" viewBox="0 0 ${width} 20">
  <rect width="${width}" height="20" rx="4" fill="#3d4650"/>
  <path d="M${left} 0h${right - 4}a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H${left}z" fill="#1a7f4f"/>
  <g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
    <text x="${left / 2}" y="14">${label}</text>
    <text x="${left + right / 2}" y="14">${value}</text>
  </g>
</svg>
`
}

function widthOf(text: string): number {
  return text.length * letterWidth + 12
}
