import { join } from 'node:path'

/** The whole configuration of an nginx that keeps to a folder and to one process, around what a merchant writes for a server. */
export function nginxConfiguration(folder: string, server: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  return `daemon off; master_process off; pid ${join(folder, 'nginx.pid')}; error_log stderr;
    events {}
    http {
      access_log off;
      ${temporary.join('\n')}
      ${server}
    }`
}
