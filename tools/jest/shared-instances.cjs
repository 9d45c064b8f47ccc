// Stops what the test files of a process shared (libs/testing, perWorker) when the process has run its last file.

/** jest-worker's message to a child process that has no more files to run. */
const END_MESSAGE = 2;

async function stopSharedInstances() {
  const instances = globalThis.sharedInstances?.splice(0) ?? [];
  await Promise.all(instances.map((instance) => instance.stop()));
}

let isWatching = false;

/** In a worker: stops the shared instances at the end of the worker. */
function stopAtWorkerEnd() {
  if (isWatching || process.send === undefined || process.env.JEST_WORKER_ID === undefined) return;
  isWatching = true;
  process.on('message', function onMessage([type]) {
    if (type !== END_MESSAGE) return;
    // A listener keeps the process alive.
    process.removeListener('message', onMessage);
    stopSharedInstances().catch((error) => console.error('A shared instance could not be stopped.', error));
  });
}

module.exports = { stopSharedInstances, stopAtWorkerEnd };
