// With a single worker, Jest runs the files in this process: there is no worker that ends.
module.exports = require('./shared-instances.cjs').stopSharedInstances;
