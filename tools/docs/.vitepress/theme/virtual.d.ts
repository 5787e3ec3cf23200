declare module 'virtual:tutorial-stores' {
  /** The store of the new project, and each `store.ts` of the tutorial, in order. */
  export const tutorialStores: readonly (() => import('@storeport/core').StorePort)[]
}
