import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { createMemoryStore } from '@storeport/store-memory'
import { describe, expect, it } from 'vitest'
import { sendTo } from '../../src/index.ts'
import { toBadge } from '../../src/report/to-badge.ts'
import { toStatement } from '../../src/report/to-statement.ts'
import { command, startShop } from '../cli/command.ts'
import { createShop, reportOf } from '../shop.ts'

const startedAt = '2026-11-20T10:00:00.000Z'

describe('toBadge', () => {
  it('contains the contract and the day of a READY run, and loads nothing', () => {
    const svg = toBadge({ verdict: 'READY', contract: '1.0.0', startedAt })
    expect(svg).toMatch(/^<svg .*aria-label="StorePort 1\.0\.0: READY 2026-11-20"/)
    expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/https?:|url\(|href|script/)
    expect(svg.length).toBeLessThan(1000)
  })

  it.each(['NOT TRIED', 'INCOMPLETE', 'CONFORMS, NOT READY', null] as const)('rejects the verdict %s', (verdict) => {
    expect(() => toBadge({ verdict, contract: '1.0.0', startedAt })).toThrow('requires the verdict READY')
  })

  it('is removed by a run that is not READY, but another file is not', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'conformance-')), 'badge.svg')
    await writeFile(file, toBadge({ verdict: 'READY', contract: '1.0.0', startedAt }))
    const words = [await startShop(), '--only', 'getDiscount', '--badge', file]
    expect((await command(words)).err).toContain('is not written, since only READY has a badge')
    await expect(readFile(file)).rejects.toThrow('ENOENT')
    await writeFile(file, '<svg>own</svg>')
    await command(words)
    expect(await readFile(file, 'utf8')).toBe('<svg>own</svg>')
  })
})

const strings = { type: 'array', items: { type: 'string' } }
const digest = { type: 'object', minProperties: 1, additionalProperties: { type: 'string', pattern: '^[0-9a-f]+$' } }
const descriptor = {
  type: 'object',
  properties: { name: { type: 'string' }, uri: { type: 'string' }, digest, content: { type: 'string' } },
  anyOf: ['uri', 'digest', 'content'].map((field) => ({ required: [field] })),
}

/** Schema of a statement v1 with the predicate `test-result/v0.1`, from the fields that in-toto specifies. */
const isStatement = new Ajv().compile({
  type: 'object',
  additionalProperties: false,
  required: ['_type', 'subject', 'predicateType', 'predicate'],
  properties: {
    _type: { const: 'https://in-toto.io/Statement/v1' },
    subject: { type: 'array', minItems: 1, items: { ...descriptor, required: ['digest'] } },
    predicateType: { const: 'https://in-toto.io/attestation/test-result/v0.1' },
    predicate: {
      type: 'object',
      additionalProperties: false,
      required: ['result', 'configuration'],
      properties: {
        result: { enum: ['PASSED', 'WARNED', 'FAILED'] },
        configuration: { type: 'array', items: descriptor },
        url: { type: 'string' },
        passedTests: strings,
        warnedTests: strings,
        failedTests: strings,
      },
    },
  },
})

describe('toStatement', () => {
  const attested = { digest: { gitCommit: 'd20ace7968ba43c0219f62d71334c1095bab1602' } }

  it.each([
    ['PASSED', 'READY', (response: Response) => response],
    ['WARNED', 'READY', (response: Response) => (response.headers.delete('X-Content-Type-Options'), response)],
    ['FAILED', null, () => new Response('{}', { status: 500 })],
  ])('has the result %s for the verdict %s', async (result, verdict, change) => {
    const { getDiscount } = createMemoryStore()
    const shop = createShop({ store: { getDiscount } })
    const only = verdict === null ? ['getDiscount'] : undefined
    const send = sendTo(async (request) => change(await shop(request)))
    const report = await reportOf({ send, offered: ['getDiscount'], only })
    const statement = toStatement(report, { ...attested, url: 'https://ci.example/7' })
    expect(report.verdict).toBe(verdict)
    expect(isStatement(JSON.parse(JSON.stringify(statement))), JSON.stringify(isStatement.errors)).toBe(true)
    const { counts } = report
    expect(statement.predicate).toMatchObject({ result, url: 'https://ci.example/7' })
    expect(statement.predicate.failedTests).toHaveLength(counts.failed)
    expect(statement.predicate.warnedTests).toHaveLength(counts.warnings)
    expect(statement.predicate.passedTests).toHaveLength(counts.passed)
  })

  it('is written by --attestation', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'conformance-')), 'statement.json')
    const env = { STOREPORT_API_KEY: 'command-key-0123456789', GITHUB_SHA: attested.digest.gitCommit }
    await command([await startShop(), '--only', 'getDiscount', '--attestation', file], { env })
    const statement: unknown = JSON.parse(await readFile(file, 'utf8'))
    expect(isStatement(statement)).toBe(true)
    expect(statement).toMatchObject({ subject: [attested], predicate: { result: 'FAILED' } })
  })
})
