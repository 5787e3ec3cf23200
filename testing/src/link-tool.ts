import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { installTool } from './install-tool.ts'

/** Installs a tool and links its `node_modules` into a folder, so that programs there can import its packages. */
export async function linkTool(name: string, folder: string): Promise<NodeJS.Require> {
  const find = await installTool(name)
  const [installed = ''] = find.resolve.paths(name) ?? []
  try {
    await symlink(installed, join(folder, 'node_modules'), 'junction')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return find
}
