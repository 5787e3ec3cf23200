import { installTool, linkTool } from '@storeport/testing/install-tool'

/** Installs the named folders of `tools`. With `--link`, also links their packages into the current package. */
const [link, ...others] = process.argv.slice(2)
const names = link === '--link' ? others : process.argv.slice(2)
for (const name of names) await (link === '--link' ? linkTool(name, '.') : installTool(name))
