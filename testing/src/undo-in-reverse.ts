import type { CompleteStorePort, InputOf } from '@storeport/core'
import { expect } from 'vitest'
import { contextOf } from './clicks.ts'
import { readViews } from './run-sequence.ts'

type Add = InputOf<'addProduct'>

/** Adds what a store takes of a row of adds, undoes it, the last one first, and expects what was seen before each; returns how many there were. */
export async function expectUndoInReverse(store: CompleteStorePort, adds: readonly Add[]): Promise<number> {
  const done: { readonly seenBefore: unknown; readonly input: Add }[] = []
  for (const input of adds) {
    const seenBefore = await readViews(store)
    const added = await store.addProduct(input, contextOf()).then(
      () => true,
      () => false,
    )
    if (added) done.push({ seenBefore, input })
  }
  for (const { seenBefore, input } of done.toReversed()) {
    await store.undoAddProduct(input, contextOf())
    expect(await readViews(store)).toEqual(seenBefore)
  }
  return done.length
}
