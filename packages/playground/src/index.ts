export { createPlayground, type Playground } from './create-playground.ts'
export type { CheckRunOptions, PlaygroundOptions, Target } from './playground-options.ts'
export type { CustomAction } from './protocol.ts'
