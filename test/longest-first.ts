import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Test files that take longest, in the sequence in which they start. A file that is missing here starts later. */
const longest = [
  'test/obtain/registry.slow',
  'test/scaffold.slow',
  'test/languages/languages.slow',
  'test/mounts/own-database.slow',
  'test/mounts/own-shop.slow',
  'test/hardening/quiet-kit.slow',
  'test/go-live/walk.slow',
  'test/clicks/kill-sweep.slow',
  'test/mounts/variants.slow',
  'test/mutants/mutants',
  'test/mutants/correct-shop.slow',
  'packages/playground/test/crawl.browser',
  'packages/conformance/test/report/verdict',
  'packages/conformance/test/coverage',
  'test/mutants/specification-alone',
  'test/matrix/sqlite',
  'test/mounts/wire-layer',
  'test/explore/explore.test',
  'test/docs.test',
]

/** Starts the longest test files first, so that both processors have work until the end of a run. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.includes(name))
      return at === -1 ? longest.length : at
    }
    // oxlint-disable-next-line unicorn/no-array-sort -- this method of the class does not sort in place
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}
