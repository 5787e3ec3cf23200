import { ServerResponse } from 'node:http'

// Kills the host between the commit of a successful change and its response, if the request id is `killed`.
const { writeHead } = ServerResponse.prototype
ServerResponse.prototype.writeHead = function writeHeadOrKill(status, ...rest) {
  if (status === 200 && this.req.headers['x-request-id'] === 'killed') process.kill(process.pid, 'SIGKILL')
  return Reflect.apply(writeHead, this, [status, ...rest])
}
