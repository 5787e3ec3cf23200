import { collectReport, createReport, runChecks } from '@storeport/conformance'
import { expect, it, onTestFinished } from 'vitest'
import { type Language, startShop } from './start-shop.ts'

it.each<Language>(['php', 'python'])('the shop in %s is READY', { timeout: 900_000 }, async (language) => {
  const { options, stop } = await startShop(language)
  onTestFinished(stop)
  const { results, offered } = await collectReport(runChecks({ ...options, disposable: true }))
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
