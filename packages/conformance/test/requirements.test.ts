import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { endpointNames } from '@storeport/core'
import { describe, expect, it } from 'vitest'
import { checks, isRequirementId, requirements, topics } from '../src/index.ts'
import { fieldsOf } from '../src/shop/inputs.ts'

const src = join(import.meta.dirname, '../src')

describe('requirements', () => {
  it('are each tested by at least one check', () => {
    const cited = new Set(checks.flatMap((check) => check.requirements))
    expect(Object.keys(requirements).filter((id) => isRequirementId(id) && !cited.has(id))).toEqual([])
  })

  it('contain every requirement id that is used in the sources', () => {
    const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
    const named = sources.flatMap((file) => readFileSync(join(src, file), 'utf8').match(/(?<=')[A-Z]+-\d+(?=')/g) ?? [])
    expect(named.length).toBeGreaterThan(500)
    expect(named.filter((id) => !isRequirementId(id))).toEqual([])
  })

  it('each have a cause and a reason, and a risk only at the level `risk`', () => {
    for (const [id, { sentence, risk, level, cause, reason }] of Object.entries(requirements)) {
      expect(cause, id).toMatch(/^\S.*\.$/)
      expect(id).toMatch(/^[A-Z]+-[1-9]\d*$/)
      expect(sentence, id).toMatch(/^\S.*\.$/)
      expect(risk !== undefined, id).toBe(level === 'risk')
      expect(reason, id).toMatch(/^[A-Z].*\.$/)
    }
  })

  it('are numbered without gaps for each id prefix', () => {
    const numbers = new Map<string, number>()
    for (const id of Object.keys(requirements)) {
      const [noun = ''] = id.split('-')
      numbers.set(noun, (numbers.get(noun) ?? 0) + 1)
      expect(id).toBe(`${noun}-${numbers.get(noun)}`)
    }
  })
})

describe('checks', () => {
  it('cite each requirement at most once', () => {
    for (const { id, requirements: cited } of checks) {
      expect(new Set(cited).size, id).toBe(cited.length)
    }
  })

  it('each have a title and a unique id that starts with a known topic', () => {
    const ids = checks.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { id, title } of checks) {
      const [topic = ''] = id.split('.')
      expect(
        topics.map(({ name }) => name),
        id,
      ).toContain(topic)
      expect(id).toMatch(/^[A-Za-z]+\.[a-z0-9]+(?:-[a-z0-9]+)*$/)
      expect(title, id).toMatch(/^\S.*\.$/)
    }
  })

  it('require the endpoint that their id names', () => {
    for (const { id, needs } of checks) {
      const endpoint = endpointNames.find((name) => id.startsWith(`${name}.`))
      if (endpoint !== undefined) expect(needs, id).toContain(endpoint)
    }
  })
})

describe('fieldsOf', () => {
  it('returns the fields of the schema with their kinds', () => {
    expect(Object.fromEntries(fieldsOf('addProduct'))).toEqual({
      email: { kind: 'email', required: true },
      product_id: { kind: 'id', required: true },
      quantity: { kind: 'quantity', required: false },
      discount_code: { kind: 'id', required: false },
      one_time: { kind: 'flag', required: false },
    })
    expect(fieldsOf('delaySubscription')[1]).toEqual(['new_date', { kind: 'date', required: true }])
  })
})

const page = readFileSync('docs/guide/contract.md', 'utf8')
const lines = page.split('\n').filter((line) => /^- [A-Z]+-\d+[ :]/.test(line))

it('lists every requirement once on the contract page', () => {
  expect(lines.map((line) => /[A-Z]+-\d+/.exec(line)?.[0]).toSorted()).toEqual(Object.keys(requirements).toSorted())
})

it('links each topic with specified requirements, and no other topics, to the API reference', async () => {
  const reference = await readFile('docs/guide/api.md', 'utf8')
  const anchors = [...reference.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
    title.toLowerCase().replaceAll(' ', '-'),
  )
  for (const topic of page.split('\n## ').slice(1)) {
    const section = /\]\(api\.md#([\w-]+)\)/.exec(topic)?.[1]
    if (/^- \S+ \*\*must\*\*/m.test(topic)) expect(anchors, topic).toContain(section)
    else expect(section, topic).toBeUndefined()
  }
})
