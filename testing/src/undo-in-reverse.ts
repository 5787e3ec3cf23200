import type { CompleteStorePort, InputOf } from '@storeport/core'
import { expect } from 'vitest'
import { contextOf } from './clicks.ts'
import { readViews } from './run-sequence.ts'

type Add = InputOf<'addProduct'>

/**
 * Adds products to a store, and undoes the accepted adds in reverse. Asserts that each undo restores the views. Returns
 * the number of accepted adds.
 */
export async function expectUndoInReverse(store: CompleteStorePort, adds: readonly Add[]): Promise<number> {
  const done: { readonly viewsBefore: unknown; readonly input: Add }[] = []
  for (const input of adds) {
    const viewsBefore = await readViews(store)
    const added = await store.addProduct(input, contextOf()).then(
      () => true,
      () => false,
    )
    if (added) done.push({ viewsBefore, input })
  }
  for (const { viewsBefore, input } of done.toReversed()) {
    await store.undoAddProduct(input, contextOf())
    expect(await readViews(store)).toEqual(viewsBefore)
  }
  return done.length
}
