import type { EndpointName, ShownPart, WidgetName } from '@storeport/core'
import type { RunMode } from '../engine/options.ts'
import type { Level } from '../engine/requirement.ts'

/**
 * Report of a run as plain data, without API keys or data derived from them. All output formats use this data; `--json` writes the data
 * unchanged.
 */
export interface Report {
  /** Name and version of the kit. */
  readonly kit: string
  /** The URL of the API, including the base path. */
  readonly address: string
  /** Start of the run, ISO 8601. */
  readonly startedAt: string
  /** Duration in milliseconds. */
  readonly durationMs: number
  /** Mode of the run. */
  readonly mode: RunMode
  /** Selected check ids, topics or requirement ids; empty for all checks. */
  readonly only: readonly string[]
  /** Whether a failed `should` is a failure instead of a warning. */
  readonly strict: boolean
  /** Description of the test data, such as the file name of the profile. */
  readonly profile: string
  /** Why the run could not start or complete; `null` if it completed. */
  readonly problem: string | null
  /** Whether the shop is ready to be connected; `null` for selected checks. */
  readonly verdict: Verdict | null
  /** Reasons for the verdict and next steps, shown in every output. */
  readonly sentences: readonly string[]
  /** Number of checks by outcome. */
  readonly counts: Counts
  /** Results of the specified requirements and the risks of the offered endpoints. */
  readonly musts: Musts
  /** Risks for customers that the run found. */
  readonly risks: readonly FoundRisk[]
  /** Number of repeated clicks that the run tried, by endpoint. */
  readonly trials: readonly Trials[]
  /** The changes that remain in the shop, one sentence each. */
  readonly changed: readonly string[]
  /** The endpoints that the shop offers. */
  readonly offered: readonly EndpointName[]
  /** The widgets and buttons that the email platform shows or hides; empty for a read-only run. */
  readonly parts: readonly ShownPart[]
  /** Findings, grouped by cause. The causes of the most important requirements are first. */
  readonly causes: readonly FoundCause[]
  /** Results by widget. */
  readonly groups: readonly ReportGroup[]
  /** Comparison with the known failures; `null` without a baseline. */
  readonly baseline: BaselineResult | null
  /** Value of `--framework`; `null` without it. */
  readonly framework: string | null
  /** Seed of the random sequences; `null` if the run sent none. */
  readonly seed: number | null
}

/** Comparison of a run with the known failures of a baseline, as requirement ids. */
export interface BaselineResult {
  /** Listed requirements that still fail. */
  readonly known: readonly string[]
  /** Failed requirements that are not listed. */
  readonly added: readonly string[]
  /** Listed requirements that hold now. */
  readonly fixed: readonly string[]
}

/**
 * Whether the shop is ready to be connected.
 *
 * `READY`: every `must` and every risk of the offered endpoints was tested and holds. `READ-ONLY: NO FAILURES`: a read-only run
 * found no failure. `NOT CONFORMING`: a `must` fails. `CONFORMS, NOT READY`: no `must` fails, but customers are at
 * risk. `INCOMPLETE`: no requirement fails, but a `must` or a risk was not tested. `NOT CHECKED`: the run could not
 * start or complete, and no response failed a `must`.
 */
export type Verdict =
  | 'READY'
  | 'READ-ONLY: NO FAILURES'
  | 'NOT CONFORMING'
  | 'CONFORMS, NOT READY'
  | 'INCOMPLETE'
  | 'NOT CHECKED'

/** Number of checks by outcome. */
export interface Counts {
  /** Checks whose requirements all hold. */
  readonly passed: number
  /** Checks with a failed `must` or risk; if `strict` is set, also checks with a failed `should`. */
  readonly failed: number
  /** Checks with a failed `should`, which StorePort recommends. */
  readonly warnings: number
  /** Checks that could not run. */
  readonly skipped: number
}

/** Results of the specified requirements and of the risks. */
export interface Musts {
  /** Number of specified requirements and risks of the offered endpoints. */
  readonly all: number
  /** Number of these requirements that were tested and hold. */
  readonly held: number
  /** Ids of the failed requirements. */
  readonly failed: readonly string[]
  /** Requirements that no check could test. */
  readonly untested: readonly UntestedMust[]
}

/** A risk for customers. */
export interface FoundRisk {
  /** The risk, in one sentence. */
  readonly risk: string
  /** Ids of the failed requirements. */
  readonly requirements: readonly string[]
  /** Endpoints or topics of the failed checks. */
  readonly topics: readonly string[]
}

/** Number of repeated clicks of one endpoint. */
export interface Trials {
  readonly endpoint: EndpointName
  readonly trials: number
  /** Probability of finding a shop in which one of ten repeated clicks takes effect twice. */
  readonly probability: number
}

/** A `must` or a risk that no check could test. */
export interface UntestedMust {
  /** Id of the requirement. */
  readonly id: string
  /** The requirement. */
  readonly sentence: string
  /** Why the requirement was not tested. */
  readonly reason: string
  /** The command-line option or the step that is required to test the requirement. */
  readonly remedy: string
}

/** Findings with the same cause. */
export interface FoundCause {
  /** Whether the findings are failures or warnings. */
  readonly outcome: 'failed' | 'warning'
  /** Likely cause of the findings. */
  readonly cause: string
  /** Ids of the checks with these findings, most important requirement first. */
  readonly checks: readonly string[]
}

/** Results of the checks of one widget, or of the checks that apply to all widgets. */
export interface ReportGroup {
  /** Name of a widget, `everyCall` or `together`. */
  readonly name: GroupName
  /** Title of the widget or group. */
  readonly title: string
  /** Number of checks by outcome. */
  readonly counts: Counts
  /** Results of the checks, in the sequence of the run. */
  readonly results: readonly ReportResult[]
}

/** Name of a report group: a widget, or a general group. */
export type GroupName = 'everyCall' | WidgetName | 'together'

/** The result of one check. */
export interface ReportResult {
  /** `<endpoint or topic>.<sentence-in-kebab-case>`. */
  readonly id: string
  /** The expected behavior, in one sentence. */
  readonly title: string
  /** Outcome of the check. */
  readonly outcome: 'passed' | 'failed' | 'warning' | 'skipped'
  /** Why the check was skipped; `null` if the check was not skipped. */
  readonly reason: string | null
  /** Duration in milliseconds. */
  readonly durationMs: number
  /** The finding; `null` if the check passed or was skipped. */
  readonly finding: Finding | null
}

/** A failed requirement, with the data that helps to fix the failure. */
export interface Finding {
  /** Id of the requirement. */
  readonly requirement: string
  /** Level of the requirement. */
  readonly level: Level
  /** The requirement. */
  readonly sentence: string
  /** Origin of the requirement: the specification, or StorePort. */
  readonly source: string
  /** Why the requirement matters. */
  readonly reason: string
  /** The expected value. */
  readonly expected: string
  /** The received value. */
  readonly received: string
  /** Likely cause of the failure. */
  readonly cause: string
  /** Key of the likely cause. Findings with the same key have the same cause. */
  readonly causeKey: string
  /** Method and target of the request, without the API key; `null` for several requests. */
  readonly request: string | null
  /**
   * The request, or the requests that reproduce the failure, as shell commands on one line each. The key is a variable.
   * `null` if the failure may belong to any of several requests.
   */
  readonly curl: string | null
  /** The response; `null` if it is missing. */
  readonly answer: ReceivedAnswer | null
  /** The preceding requests of the check, one line each, oldest first. */
  readonly before: readonly string[]
}

/** A received response. */
export interface ReceivedAnswer {
  /** HTTP status. */
  readonly status: number
  /** Header lines, unchanged. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body, truncated if it is long. */
  readonly body: string
}
