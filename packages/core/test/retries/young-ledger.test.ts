import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Reconciled, ReconcileContext, StorePort } from '@storeport/core'
import { beans, integrate, named, paths, watchLedger } from './shop.ts'

describe('decision 29: on a young ledger', () => {
  /** A store that is asked whether it has seen a change, if it has an answer; `warn` is what is logged. */
  function youngShop(answer?: Reconciled) {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
    const { ledger } = watchLedger({ isYoung: true })
    const asked: ReconcileContext[] = []
    const change = vi.fn(async () => {})
    const store: StorePort = {
      ledger,
      addProduct: change,
      undoAddProduct: change,
      sendNow: change,
      ...(answer && { reconcile: async (...[, , context]) => (asked.push(context), answer) }),
    }
    return { ...integrate(store), store, asked, change, warn }
  }

  it.each([
    ['an unnamed', {}],
    ['a named', named],
  ])('a first attempt of %s click asks the store, without times of attempts, and logs nothing', async (_, headers) => {
    const { post, asked, change, warn } = youngShop('applied')
    expect((await post(paths.add, beans, headers)).status).toBe(200)
    expect(change).not.toHaveBeenCalled()
    expect(asked).toEqual([
      expect.objectContaining({
        ledgerIsYoung: true,
        firstAttemptAt: undefined,
        lastAttemptAt: undefined,
        clickIdentity: expect.objectContaining({ fingerprint: expect.any(String) }),
      }),
    ])
    expect(warn).not.toHaveBeenCalled()
  })

  it('a click whose attempts are known is not a forgotten one', async () => {
    const { post, store, asked } = youngShop('not_applied')
    const losing = integrate({ ...store, addProduct: () => Promise.reject(new Error('lost')) })
    expect((await losing.post(paths.add, beans)).status).toBe(500)
    expect((await post(paths.add, beans)).status).toBe(200)
    expect(asked.map(({ ledgerIsYoung, firstAttemptAt }) => [ledgerIsYoung, firstAttemptAt === undefined])).toEqual([
      [true, true],
      [false, false],
    ])
  })

  it('without reconcile the click runs, and one line is logged, unless all clicks are named', async () => {
    const { post, change, warn } = youngShop()
    await post(paths.add, beans, named)
    expect(warn).not.toHaveBeenCalled()
    for (const path of [paths.add, paths.undo, paths.sendNow]) await post(path, beans)
    expect(change).toHaveBeenCalledTimes(4)
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^storeport: The ledger is new or has lost its data/)]])
  })
})
