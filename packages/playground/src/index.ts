export { createPlayground, type Playground } from './create-playground.ts'
export {
  DemoControlError,
  type CheckRunOptions,
  type PlaygroundOptions,
  type DemoControls,
  type Target,
} from './playground-options.ts'
export type {
  CustomAction,
  DemoState,
  DemoSubscription,
  HistoryLine,
  MovedDate,
  TimeRequest,
  TimeStep,
} from './protocol.ts'
