import { spec } from 'node:test/reporters'

/** Prints only failures and totals, for a log. */
async function* short(events) {
  let errors = ''
  for await (const { type, data } of events) {
    if (type === 'test:stderr') errors += data.message
    if (type === 'test:fail' && data.details.error.failureType !== 'subtestsFailed') {
      yield `✖ ${data.name}\n  ${data.details.error.cause}\n`
      // A test file that did not run.
      if (data.details.error.exitCode !== undefined) yield errors
    }
    if (type === 'test:diagnostic' && data.nesting === 0) yield `# ${data.message}\n`
  }
}

export default process.stdout.isTTY ? new spec() : short
