import type { Reporter, TestModule } from 'vitest/node'

/** Ends a run with one plain line of counts, which any reader of logs understands. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`)
  }
}
