// The parts of incidents that other modules may use.
export { type Condition, conditionsOf } from './core/conditions.ts';
export { type Followed, followResults } from './follow.ts';
export { noteResults } from './note-results.ts';
export { changeIncident, readIncidents, readIncidentVersion } from './read-incidents.ts';
export { incidentExpiry } from './store/incidents.ts';
