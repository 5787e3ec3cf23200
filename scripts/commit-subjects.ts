import { spawnSync } from 'node:child_process'

/*
 * Fails if a commit since the commit named by the first argument has a subject that is longer than 72 characters or
 * does not start with an area, such as `store-sql: `. Only prints a message if the named commit is missing, as in a
 * shallow clone.
 */

const [start = ''] = process.argv.slice(2)
const { status, stdout } = spawnSync('git', ['log', '--no-merges', '--format=%h %s', `${start}..HEAD`], {
  encoding: 'utf8',
})
if (status !== 0) {
  console.log(`commit subjects: ${start} is not in the history of this checkout`)
} else {
  const commits = stdout.split('\n').filter((line) => line !== '')
  const rejected = commits.filter((line) => !isSubject(line.slice(line.indexOf(' ') + 1)))
  for (const line of rejected) console.log(`${line}\n  expected "area: imperative" in at most 72 characters`)
  console.log(`commit subjects: ${commits.length} read, ${rejected.length} rejected`)
  process.exitCode = rejected.length > 0 ? 1 : 0
}

function isSubject(subject: string): boolean {
  return subject.length <= 72 && /^[a-z][\w ,/().-]*: \S/.test(subject)
}
