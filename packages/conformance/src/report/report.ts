import type { EndpointName, ShownPart, WidgetName } from '@storeport/core'
import type { RunMode } from '../engine/options.ts'
import type { Level } from '../engine/requirement.ts'

/** What a run found, as plain data without the API keys: every output is made of it, and `--json` is it. */
export interface Report {
  /** Name and version of the kit. */
  readonly kit: string
  /** The address of the API, base path included. */
  readonly address: string
  /** When the run began, ISO 8601. */
  readonly startedAt: string
  /** How long it took, in milliseconds. */
  readonly durationMs: number
  /** How far it went. */
  readonly mode: RunMode
  /** Which checks were chosen: ids, topics or requirement ids; empty for all. */
  readonly only: readonly string[]
  /** Whether warnings count as failures. */
  readonly strict: boolean
  /** Where the test data comes from. */
  readonly profile: string
  /** Why the run could not be made or ended before its end; `null` when it was made. */
  readonly problem: string | null
  /** Whether the shop can be connected; `null` for chosen checks, which cannot tell. */
  readonly verdict: Verdict | null
  /** What the verdict rests on, and what to do next, in sentences: every output shows these. */
  readonly sentences: readonly string[]
  /** What was counted. */
  readonly counts: Counts
  /** The specified requirements of the offered endpoints. */
  readonly musts: Musts
  /** What the run left changed in the shop, in sentences. */
  readonly changed: readonly string[]
  /** The endpoints that the shop offers. */
  readonly offered: readonly EndpointName[]
  /** The widgets and buttons that the caller shows or hides. */
  readonly parts: readonly ShownPart[]
  /** What was found, by cause: failures first, the most frequent first. */
  readonly causes: readonly FoundCause[]
  /** The checks, by widget. */
  readonly groups: readonly ReportGroup[]
}

/**
 * Whether the shop can be connected.
 *
 * `READY`: every `must` of the offered endpoints was tried and holds. `NOT TRIED`: nothing fails of what a read-only run can try.
 * `NOT CONFORMING`: something that is specified fails. `CONFORMS, NOT READY`: what is specified holds, but customers are at risk.
 * `INCOMPLETE`: nothing fails, but not every `must` was tried. `NOT CHECKED`: the run could not be made, or ended before its end.
 */
export type Verdict = 'READY' | 'NOT TRIED' | 'NOT CONFORMING' | 'CONFORMS, NOT READY' | 'INCOMPLETE' | 'NOT CHECKED'

/** How many checks came out how. */
export interface Counts {
  /** Nothing is wrong. */
  readonly passed: number
  /** Something does not hold that counts. */
  readonly failed: number
  /** Something does not hold that was decided where the caller specifies nothing. */
  readonly warnings: number
  /** The check could not be made. */
  readonly skipped: number
}

/** How the specified requirements came out. */
export interface Musts {
  /** How many there are for the offered endpoints. */
  readonly all: number
  /** How many of them were tried and hold. */
  readonly held: number
  /** Ids of those that do not hold. */
  readonly failed: readonly string[]
  /** Those that no check could try. */
  readonly untried: readonly UntriedMust[]
}

/** A specified requirement that no check could try. */
export interface UntriedMust {
  /** Its id. */
  readonly id: string
  /** The requirement. */
  readonly sentence: string
  /** Why it was not tried. */
  readonly reason: string
  /** What to give, or do, so that it can be. */
  readonly give: string
}

/** Findings that have one cause, in one family of endpoints. */
export interface FoundCause {
  /** The widget, or `everyCall` and `together`. */
  readonly family: GroupName
  /** What that is called. */
  readonly title: string
  /** Whether they count. */
  readonly outcome: 'failed' | 'warning'
  /** What usually causes them. */
  readonly cause: string
  /** Ids of the checks, in the order of the run. */
  readonly checks: readonly string[]
}

/** The checks of one widget, or those that concern all. */
export interface ReportGroup {
  /** The widget, or `everyCall` and `together`. */
  readonly name: GroupName
  /** What it is called. */
  readonly title: string
  /** What was counted in it. */
  readonly counts: Counts
  /** Its checks, in order. */
  readonly results: readonly ReportResult[]
}

/** A widget, or what concerns all of them. */
export type GroupName = 'everyCall' | WidgetName | 'together'

/** How one check came out. */
export interface ReportResult {
  /** `<endpoint or topic>.<sentence-in-kebab-case>`. */
  readonly id: string
  /** What holds, in one sentence. */
  readonly title: string
  /** How it came out. */
  readonly outcome: 'passed' | 'failed' | 'warning' | 'skipped'
  /** Why it was skipped; `null` when it was not. */
  readonly reason: string | null
  /** How long it took, in milliseconds. */
  readonly durationMs: number
  /** What does not hold; `null` when everything does. */
  readonly finding: Finding | null
}

/** What does not hold, and all that helps to fix it. */
export interface Finding {
  /** Id of the requirement. */
  readonly requirement: string
  /** `must` is specified by the caller, `should` was decided where the caller specifies nothing. */
  readonly level: Level
  /** The requirement. */
  readonly sentence: string
  /** Whether it is specified or decided, and its topic. */
  readonly source: string
  /** Page and section of the project's API reference that tell it; `null` for what was decided. */
  readonly reference: string | null
  /** Why the requirement matters. */
  readonly reason: string
  /** What should have been. */
  readonly expected: string
  /** What was instead. */
  readonly received: string
  /** What usually causes it. */
  readonly cause: string
  /** The call, method and target, without the API key; `null` when it is about several calls. */
  readonly request: string | null
  /** The call as a line for a shell, the key as a variable; `null` when it is about several calls. */
  readonly curl: string | null
  /** What came back; `null` when nothing did. */
  readonly answer: ReceivedAnswer | null
  /** The calls of the check before that one, one line each, oldest first. */
  readonly before: readonly string[]
}

/** What came back for a call. */
export interface ReceivedAnswer {
  /** HTTP status. */
  readonly status: number
  /** Header lines as they came. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The start of the body. */
  readonly body: string
}
