import { endpoints, isEndpointName } from '@storeport/core'
import { describe, expect, it } from 'vitest'
import { checks } from '../src/index.ts'
import { checks as checksOfFewEndpoints } from '../src/cases/small-shops.ts'
import { checks as checksOfClicks } from '../src/cases/clicks.ts'
import { resultOf, shopThat } from './shop.ts'

const checksOfSmallShops = [...checksOfFewEndpoints, ...checksOfClicks.filter(({ without }) => without !== undefined)]
const ofActions = checksOfSmallShops.filter(({ mode }) => mode === 'write')

describe('a check for shops with few endpoints', () => {
  it.each(ofActions)('fails if the action returns 500: $id', async ({ id, needs }) => {
    const [topic = ''] = id.split('.')
    const path = isEndpointName(topic) ? endpoints[topic].path : 'unknown'
    let calls = 0
    const send = shopThat((response, request) => {
      if (request.method !== 'POST' || !request.url.includes(path)) return response
      calls += 1
      return new Response('{"success":false,"error":{"code":"internal_error","message":"No."}}', { status: 500 })
    })
    const { failure } = await resultOf(id, { send, offered: needs })
    expect(calls).toBeGreaterThan(0)
    expect(failure?.reply?.status).toBe(500)
  })

  it('fails if a list is cached across customers: listProducts.separates-the-lists-of-customers', async () => {
    let last = ''
    const send = shopThat(async (response, request) => {
      if (!request.url.includes('/upsells/products')) return response
      const before = last
      last = await response.text()
      return new Response(before === '' ? last : before, response)
    })
    const id = 'listProducts.separates-the-lists-of-customers'
    const { failure } = await resultOf(id, { send, offered: ['listProducts'] })
    expect(failure?.requirement).toMatch(/^PRODUCTS-[34]$/)
  })

  it.each(ofActions)(
    'does not run if the shop offers the endpoints of stricter checks: $id',
    async ({ id, without = [], needs }) => {
      await expect(resultOf(id, { offered: [...needs, ...without] })).rejects.toThrow(`no check ${id}`)
      const cited = checks.filter((check) => check.without === undefined).flatMap(({ requirements }) => requirements)
      const own = checksOfSmallShops.find((check) => check.id === id)?.requirements ?? []
      expect(own.filter((requirement) => !cited.includes(requirement))).toEqual([])
    },
  )
})
