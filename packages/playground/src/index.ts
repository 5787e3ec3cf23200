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
  DemoActionRun as InsideActionRun,
  DemoCodeUse as InsideCodeUse,
  DemoOrderLine as InsideLine,
  DemoOrder as InsideOrder,
  MovedDate,
  DemoState,
  TimeRequest,
  TimeStep,
} from './protocol.ts'
