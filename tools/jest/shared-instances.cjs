// Stops the instances that the test files of a process share (libs/testing, perWorker) after its last file.

/** The message by which jest-worker ends a child process. */
const END_MESSAGE = 2;

async function stopSharedInstances() {
  // A service that stops registers the removal of its queues.
  while (globalThis.sharedInstances?.length > 0) {
    await Promise.all(globalThis.sharedInstances.splice(0).map((instance) => instance.stop()));
  }
}

let isWatching = false;

/** In a worker process: stops the shared instances at its end. */
function stopAtWorkerEnd() {
  if (isWatching || process.send === undefined || process.env.JEST_WORKER_ID === undefined) return;
  isWatching = true;
  process.on('message', function onMessage([type]) {
    if (type !== END_MESSAGE) return;
    // The listener must not keep the process alive.
    process.removeListener('message', onMessage);
    stopSharedInstances().catch((error) => console.error('A shared instance could not be stopped.', error));
  });
}

module.exports = { stopSharedInstances, stopAtWorkerEnd };
