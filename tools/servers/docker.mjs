import { run, works } from './process.mjs';

/** Whether a Docker engine responds; the client alone cannot start containers. */
export const hasDockerEngine = () => works('docker', ['info']);

/** Starts a container on a free port of the loopback address. */
export function startContainer({ image, port, env = {} }) {
  const settings = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const id = run('docker', ['run', '--detach', '--rm', '--publish', `127.0.0.1::${port}`, ...settings, image]).trim();
  const stop = async () => void run('docker', ['rm', '--force', '--volumes', id]);
  try {
    const [address] = run('docker', ['port', id, `${port}/tcp`]).split('\n');
    return { address, stop };
  } catch (error) {
    void stop();
    throw error;
  }
}
