export { type Framework, frameworkNames, type Store, storeNames } from './choices.ts'
export { type ProjectOptions, projectFiles } from './project-files.ts'
