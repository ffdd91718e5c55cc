// The version of this release. The package.json of the project is the only place that states it.
export { version } from '../../package.json';
