// With a single worker, Jest runs the files in this process, so no worker exits.
module.exports = require('./shared-instances.cjs').stopSharedInstances;
