export { type Framework, frameworkNames, type Store, storesFor } from './choices.ts'
export { type ProjectOptions, projectFiles } from './project-files.ts'
