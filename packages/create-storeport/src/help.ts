import { frameworkNames, stores } from './choices.ts'

/** What `create-storeport --help` says. */
export function help(): string {
  return `Makes a project that serves the subscription commerce integration API.

  npm create storeport@latest my-shop
  npm create storeport@latest my-shop -- --framework express --store own

  --framework NAME  ${frameworkNames.join(', ')}
  --store NAME      ${Object.keys(stores).join(', ')}; a Worker has own only
  --from CLONE      take the packages of StorePort from a clone, packed into vendor/, instead of from npm
  --yes             take the defaults (my-shop, node, own) for what is not said, and ask nothing
  --help            this text
  --version         the version

Exit codes: 0 made, 1 not made, 2 the command was wrong.
`
}
