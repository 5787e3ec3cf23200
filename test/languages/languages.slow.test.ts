import { collectReport, createReport, reportResult, runChecks } from '@storeport/conformance'
import { expect, it, onTestFinished } from 'vitest'
import { type Defect, groups } from './defects.ts'
import { type Language, readShop, type Shop, shops, startShop } from './start-shop.ts'

const languages = ['php', 'python'] as const satisfies readonly (keyof typeof shops)[]

it.each(languages)('the shop in %s is READY', { timeout: 900_000 }, async (language) => {
  const { options, stop } = await startShop(language, readShop(language))
  onTestFinished(stop)
  const { results, offered } = await collectReport(runChecks({ ...options, reset: undefined, disposable: true }))
  const report = createReport({
    results,
    offered,
    kit: 'kit',
    baseUrl: 'http://shop.example',
    basePath: '/integration',
    startedAt: '2026-11-20T10:00:00.000Z',
    durationMs: 1,
    mode: 'default',
    only: [],
    strict: false,
    profile: 'of the test',
    problem: undefined,
  })
  const found = results.flatMap(({ check, failure }) =>
    failure === undefined ? [] : [`${check.id}: ${failure.message}`],
  )
  expect(found).toEqual([])
  expect(report.verdict).toBe('READY')
})

const cases = languages.flatMap((language) =>
  groups.map((group) => [language, Object.keys(group).join(', '), group] as const),
)

it.each(cases)('the report for %s detects: %s', { timeout: 600_000 }, async (language, _, group) => {
  const defects = Object.entries(group)
  const shop = defects.reduce((changed, [, defect]) => putIn(changed, defect, language), readShop(language))
  const { options, stop } = await startShop(language, shop)
  onTestFinished(stop)
  const only = defects.map(([, { check }]) => check)
  const { results } = await collectReport(runChecks({ ...options, only }))
  const reported = results.map((result) => reportResult(result, 'http://shop.example', false))
  for (const [name, { check, requirement, cause }] of defects) {
    const finding = reported.find(({ id }) => id === check)?.finding
    expect
      .soft({ name, requirement: finding?.requirement, cause: finding?.cause })
      .toEqual({ name, requirement, cause: expect.stringContaining(cause) })
  }
})

/** Returns the shop with a defect. */
function putIn(shop: Shop, { change }: Defect, language: Language): Shop {
  const part = 'schema' in change ? 'schema' : 'source'
  const [from, to] = 'schema' in change ? change.schema : 'php' in change ? change[language] : change
  expect(shop[part].split(from), from).toHaveLength(2)
  return { ...shop, [part]: shop[part].replace(from, () => to) }
}
