import { type Comparison, control } from '../measure/compare.ts'
import { type TimedEndpoint, timedEndpointNames } from '../measure/requests.ts'
import type { Measured } from '../measure/take-turns.ts'
import { type Chart, type Finding, verdictOf } from '../report/section.ts'

/** The table of a comparison. */
export const comparisonColumns = [
  'variant',
  ...timedEndpointNames.flatMap((name) => [`${name}, µs of CPU`, 'of the limit']),
]

/** The rows of a table, in the order of the variants. */
export function comparisonRows(
  measured: readonly Measured<TimedEndpoint>[],
  { limit, variants }: Comparison,
): string[][] {
  return [limit.name, control, ...variants.map(({ name }) => name)].map((variant) => [
    variant,
    ...timedEndpointNames.flatMap((endpoint) => {
      const { microseconds, ratio, spread } = cell(measured, variant, endpoint)
      if (variant === limit.name) return [microseconds.toFixed(1), '1']
      if (variant === control) return [microseconds.toFixed(1), `${ratio.toFixed(2)} (± ${spread.toFixed(2)})`]
      const resolved = Math.abs(ratio - 1) > spread
      return [microseconds.toFixed(1), resolved ? ratio.toFixed(2) : `${ratio.toFixed(2)}, not resolved from 1`]
    }),
  ])
}

/** What StorePort reached of the limit. */
export function ofTheLimit(measured: readonly Measured<TimedEndpoint>[], variant: string, least: number): Finding[] {
  return timedEndpointNames.map((endpoint) => {
    const { ratio, spread } = cell(measured, variant, endpoint)
    return {
      what: `${variant}, ${endpoint}, of the limit`,
      reach: `≥ ${least}`,
      measured: `${ratio.toFixed(3)} ± ${spread.toFixed(3)}`,
      verdict: spread > 0.1 ? 'not resolved' : verdictOf(ratio, least, spread),
    }
  })
}

/** Whether StorePort takes less time than a peer. */
export function aheadOf(measured: readonly Measured<TimedEndpoint>[], variant: string, peer: string): Finding[] {
  return timedEndpointNames.map((endpoint) => {
    const own = cell(measured, variant, endpoint)
    const lead = own.ratio / cell(measured, peer, endpoint).ratio
    const resolved = Math.abs(lead - 1) > own.spread
    return {
      what: `${variant}, ${endpoint}, against ${peer}`,
      reach: 'ahead',
      measured: `${lead.toFixed(2)} times as fast (± ${own.spread.toFixed(2)})`,
      verdict: resolved ? (lead > 1 ? 'reached' : 'not reached') : 'not resolved',
    }
  })
}

/** A chart for each endpoint. */
export function comparisonCharts(
  title: string,
  measured: readonly Measured<TimedEndpoint>[],
  { limit, variants }: Comparison,
): Chart[] {
  return timedEndpointNames.map((endpoint) => ({
    title: `${title}: ${endpoint}`,
    bars: [limit, ...variants]
      .map(({ name }) => ({
        label: name,
        value: cell(measured, name, endpoint).ratio,
        own: name.startsWith('StorePort'),
      }))
      .toSorted((one, other) => other.value - one.value),
  }))
}

function cell(
  measured: readonly Measured<TimedEndpoint>[],
  variant: string,
  endpoint: TimedEndpoint,
): Measured<TimedEndpoint> {
  const found = measured.find((each) => each.variant === variant && each.work === endpoint)
  if (found === undefined) throw new Error(`nothing was measured for ${variant}, ${endpoint}`)
  return found
}
