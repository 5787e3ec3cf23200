import { type Comparison, control } from '../measure/compare.ts'
import { type TimedEndpoint, timedEndpointNames } from '../measure/requests.ts'
import type { Measured } from '../measure/take-turns.ts'
import { type Chart, type Finding, verdictAtLeast, withInterval } from '../report/section.ts'

/** The table of a comparison. */
export const comparisonColumns = [
  'variant',
  ...timedEndpointNames.flatMap((name) => [`${name}, µs of CPU`, 'of the limit']),
]

/** The rows of a table: the control, the limit, and the variants in their order. */
export function comparisonRows(
  measured: readonly Measured<TimedEndpoint>[],
  { limit, variants }: Comparison,
): string[][] {
  return [control, limit.name, ...variants.map(({ name }) => name)].map((variant) => [
    variant,
    ...timedEndpointNames.flatMap((endpoint) => {
      const { microseconds, ratio, interval } = cell(measured, variant, endpoint)
      return [microseconds.toFixed(1), variant === limit.name ? '1' : withInterval(ratio, interval, 3)]
    }),
  ])
}

/** What StorePort reached of the limit. */
export function ofTheLimit(
  measured: readonly Measured<TimedEndpoint>[],
  variant: string,
  least: Readonly<Record<TimedEndpoint, number>>,
): Finding[] {
  return timedEndpointNames.map((endpoint) => {
    const { ratio, interval } = cell(measured, variant, endpoint)
    return {
      what: `${variant}, ${endpoint}, of the limit`,
      reach: `≥ ${least[endpoint]}`,
      measured: withInterval(ratio, interval, 3),
      verdict: verdictAtLeast(ratio, interval, least[endpoint]),
    }
  })
}

/** Whether StorePort takes less time than a peer. */
export function aheadOf(measured: readonly Measured<TimedEndpoint>[], variant: string, peer: string): Finding[] {
  return timedEndpointNames.map((endpoint) => {
    const own = cell(measured, variant, endpoint)
    const other = cell(measured, peer, endpoint)
    const isAhead = own.interval[0] > other.interval[1]
    const isBehind = own.interval[1] < other.interval[0]
    return {
      what: `${variant}, ${endpoint}, against ${peer}`,
      reach: 'ahead',
      measured: `${(own.ratio / other.ratio).toFixed(2)} times as fast`,
      verdict: isAhead ? 'reached' : isBehind ? 'not reached' : 'not resolved',
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
