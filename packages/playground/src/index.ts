export { createPlayground, type Playground } from './create-playground.ts'
export { readStyles } from './read-page.ts'
export type { PlaygroundOptions, DemoControls, Target } from './playground-options.ts'
export type { CustomAction, DemoState, DemoSubscription, HistoryLine, TestCustomer } from './protocol.ts'
