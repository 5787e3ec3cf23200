/** Series by name, with values in the notation of promtool: `0+2x30` is 0, 2, 4, …, 60, one value per minute. */
type Series = Readonly<Record<string, string>>

/** A situation, and the minute when its alerts are compared. */
type Situation = readonly [minute: number, series: Series]

const calls = (status: string, endpoint = 'sendNow') =>
  `storeport_calls_total{endpoint="${endpoint}",status="${status}"}`
const failing = { [calls('503')]: '0+2x30', [calls('200')]: '0+10x30' }
const durations = (fast: string, all: string): Series => ({
  'storeport_call_duration_seconds_bucket{endpoint="sendNow",le="2.5"}': fast,
  'storeport_call_duration_seconds_bucket{endpoint="sendNow",le="5"}': all,
  'storeport_call_duration_seconds_bucket{endpoint="sendNow",le="+Inf"}': all,
  'storeport_call_duration_seconds_count{endpoint="sendNow"}': all,
})
const isUp = { 'up{job="storeport"}': '1x200' }

/** Situations for each alert. In `fires`, exactly this alert fires. In `quiet`, no alert fires. */
export const situations: Readonly<Record<string, { fires: readonly Situation[]; quiet: readonly Situation[] }>> = {
  StorePortDown: {
    fires: [
      [3, { 'up{job="storeport"}': '0x5' }],
      [3, { 'up{job="another"}': '1x5' }],
    ],
    quiet: [[3, { 'up{job="storeport"}': '1 0 1 0 1' }]],
  },
  StorePortNotReady: {
    fires: [[3, { ...isUp, storeport_ready: '0x5' }]],
    quiet: [[3, { ...isUp, storeport_ready: '1 0 1 0 1' }]],
  },
  StorePortFailures: {
    fires: [[20, { ...isUp, ...failing }]],
    quiet: [
      [20, { ...isUp, [calls('503')]: '0+2x30', [calls('200')]: '0+50x30' }],
      [24, { ...isUp, [calls('503')]: '0x15 1x15', [calls('200')]: '0x30' }],
      [20, { ...isUp, ...failing, 'storeport_paused{endpoint="sendNow"}': '1x30' }],
    ],
  },
  StorePortSlow: {
    fires: [[20, { ...isUp, ...durations('0+5x30', '0+6x30') }]],
    quiet: [
      [20, { ...isUp, ...durations('0+6x30', '0+6x30') }],
      [24, { ...isUp, ...durations('0x30', '0x15 2x15') }],
    ],
  },
  StorePortPaused: {
    fires: [[70, { ...isUp, 'storeport_paused{endpoint="sendNow"}': '1x80' }]],
    quiet: [[70, { ...isUp, 'storeport_paused{endpoint="sendNow"}': '1x50 _x30' }]],
  },
  StorePortInvalidKeys: {
    fires: [[20, { ...isUp, [calls('401', 'none')]: '0+10x30' }]],
    quiet: [[20, { ...isUp, [calls('401', 'none')]: '0+1x30' }]],
  },
}

/** Returns a test for `promtool test rules`, which compares the alerts that fire. */
function toRuleTest([minute, series]: Situation, firing: readonly string[]) {
  return {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: `${minute}m`,
        exp_samples: firing.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
      },
    ],
  }
}

/** Tests for `promtool test rules`, one for each situation. */
export const ruleTests = Object.entries(situations).flatMap(([alert, { fires, quiet }]) => [
  ...fires.map((situation) => toRuleTest(situation, [alert])),
  ...quiet.map((situation) => toRuleTest(situation, [])),
])
