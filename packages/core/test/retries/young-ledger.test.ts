import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Reconciled, ReconcileContext, StorePort } from '@storeport/core'
import { beans, integrate, named, paths, watchLedger } from './shop.ts'

describe('young ledger (decision 29)', () => {
  /** Creates a store with a young ledger. The store has `reconcile` if a result is given. `warn` records the log lines. */
  function youngShop(reconciled?: Reconciled) {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
    const { ledger } = watchLedger({ isYoung: true })
    const calls: ReconcileContext[] = []
    const change = vi.fn(async () => {})
    const store: StorePort = {
      ledger,
      addProduct: change,
      undoAddProduct: change,
      sendNow: change,
      ...(reconciled && { reconcile: async (...[, , context]) => (calls.push(context), reconciled) }),
    }
    return { ...integrate(store), store, calls, change, warn }
  }

  it.each([
    ['an unnamed', {}],
    ['a named', named],
  ])('reconciles the first attempt of %s click without attempt times, and logs nothing', async (_, headers) => {
    const { post, calls, change, warn } = youngShop('applied')
    expect((await post(paths.add, beans, headers)).status).toBe(200)
    expect(change).not.toHaveBeenCalled()
    expect(calls).toEqual([
      expect.objectContaining({
        ledgerIsYoung: true,
        firstAttemptAt: undefined,
        lastAttemptAt: undefined,
        clickIdentity: expect.objectContaining({ fingerprint: expect.any(String) }),
      }),
    ])
    expect(warn).not.toHaveBeenCalled()
  })

  it('passes the attempt times of a stored click to reconcile', async () => {
    const { post, store, calls } = youngShop('not_applied')
    const losing = integrate({ ...store, addProduct: () => Promise.reject(new Error('lost')) })
    expect((await losing.post(paths.add, beans)).status).toBe(500)
    expect((await post(paths.add, beans)).status).toBe(200)
    expect(calls.map(({ ledgerIsYoung, firstAttemptAt }) => [ledgerIsYoung, firstAttemptAt === undefined])).toEqual([
      [true, true],
      [false, false],
    ])
  })

  it('runs clicks if the store has no reconcile method, and logs one line for unnamed clicks', async () => {
    const { post, change, warn } = youngShop()
    await post(paths.add, beans, named)
    expect(warn).not.toHaveBeenCalled()
    for (const path of [paths.add, paths.undo, paths.sendNow]) await post(path, beans)
    expect(change).toHaveBeenCalledTimes(4)
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^storeport: The ledger is new or has lost its data/)]])
  })
})
