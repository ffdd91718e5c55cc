// Relevance judgements: which pages answer which query, graded by reading the pages. The grades
// were assigned before any engine was run, so that its results could not influence them.

/** 3 answers the query, 2 covers much of it, 1 touches it; pages that are not listed are 0. */
type Grade = 1 | 2 | 3;

export type Judgement = { query: string; relevant: Readonly<Record<string, Grade>> };

export const judgements: readonly Judgement[] = [
  {
    query: 'solar energy storage',
    relevant: {
      'https://gridlines.example/storage/solar-storage-guide': 3,
      'https://volt-review.example/home-batteries/2026': 2,
      'https://gridlines.example/storage/four-hour-rule': 2,
      'https://papers.meridian.example/2025/hybrid-solar-storage-sizing': 2,
      'https://news.harbourpost.example/2026/solar-battery-record': 2,
      'https://www.sunstore.example/products/terrace': 2,
      'https://news.harbourpost.example/2026/school-roofs-share-storage': 2,
      'https://pennywise.example/home/solar-battery-payback': 2,
      'https://www.sunstore.example/support/islanding': 2,
      'https://climateledger.example/analysis/storage-emissions': 2,
      'https://lab.northfield.example/groups/thermal/sand-battery': 2,
      'https://energy.atlas.example/wiki/battery-round-trip-efficiency': 2,
      'https://papers.meridian.example/2024/calendar-ageing-lfp': 1,
      'https://news.harbourpost.example/2026/sodium-factory-opens': 1,
      'https://registry.example/companies/halden-cells': 1,
      'https://people.example/ruth-imada': 1,
      'https://tagblatt.example/energie/balkonkraftwerk-speicher': 1,
      'https://miraitoshi.example/energy/jutaku-chikudenchi': 1,
    },
  },
  {
    query: 'is a home battery for solar panels worth the cost',
    relevant: {
      'https://pennywise.example/home/solar-battery-payback': 3,
      'https://volt-review.example/home-batteries/2026': 2,
      'https://gridlines.example/storage/solar-storage-guide': 2,
      'https://tagblatt.example/energie/balkonkraftwerk-speicher': 2,
      'https://www.sunstore.example/products/terrace': 1,
      'https://miraitoshi.example/energy/jutaku-chikudenchi': 1,
    },
  },
  {
    query: 'how many hours can a grid battery run',
    relevant: {
      'https://gridlines.example/storage/four-hour-rule': 3,
      'https://gridlines.example/storage/solar-storage-guide': 2,
      'https://energy.atlas.example/wiki/battery-round-trip-efficiency': 2,
      'https://papers.meridian.example/2025/hybrid-solar-storage-sizing': 1,
      'https://news.harbourpost.example/2026/solar-battery-record': 1,
    },
  },
  {
    query: 'keep the house running when the power goes out',
    relevant: {
      'https://www.sunstore.example/support/islanding': 3,
      'https://volt-review.example/home-batteries/2026': 2,
      'https://miraitoshi.example/energy/jutaku-chikudenchi': 1,
      'https://news.harbourpost.example/2026/school-roofs-share-storage': 1,
    },
  },
  {
    query: 'energy lost when charging and discharging',
    relevant: {
      'https://energy.atlas.example/wiki/battery-round-trip-efficiency': 3,
      'https://volt-review.example/home-batteries/2026': 2,
      'https://gridlines.example/storage/solar-storage-guide': 2,
      'https://energy.atlas.example/wiki/pumped-storage': 1,
      'https://climateledger.example/analysis/storage-emissions': 1,
      'https://lab.northfield.example/groups/thermal/sand-battery': 1,
    },
  },
  {
    query: 'sodium battery manufacturer',
    relevant: {
      'https://registry.example/companies/halden-cells': 3,
      'https://news.harbourpost.example/2026/sodium-factory-opens': 3,
      'https://people.example/ruth-imada': 2,
    },
  },
  {
    query: 'who founded Halden Cells',
    relevant: {
      'https://people.example/ruth-imada': 3,
      'https://registry.example/companies/halden-cells': 3,
      'https://news.harbourpost.example/2026/sodium-factory-opens': 1,
    },
  },
  {
    query: 'seasonal heat store for a town',
    relevant: {
      'https://lab.northfield.example/groups/thermal/sand-battery': 3,
      'https://nordic-heat.example/about': 2,
    },
  },
  {
    query: 'heat pump performance in older buildings',
    relevant: {
      'https://papers.meridian.example/2026/heat-pump-field-study': 3,
      'https://nordic-heat.example/about': 1,
      'https://data.statbank.example/series/household-energy-spending': 1,
    },
  },
  {
    query: 'battery degradation in hot climates',
    relevant: {
      'https://papers.meridian.example/2024/calendar-ageing-lfp': 3,
      'https://papers.meridian.example/2025/hybrid-solar-storage-sizing': 1,
      'https://litoral.example/cidades/onibus-eletrico-recife': 1,
    },
  },
  {
    query: 'do batteries lower carbon emissions',
    relevant: {
      'https://climateledger.example/analysis/storage-emissions': 3,
      'https://news.harbourpost.example/2026/solar-battery-record': 1,
    },
  },
  {
    query: 'balcony solar for tenants',
    relevant: {
      'https://www.sunstore.example/products/terrace': 3,
      'https://tagblatt.example/energie/balkonkraftwerk-speicher': 3,
    },
  },
  {
    query: 'used bus batteries as storage',
    relevant: {
      'https://news.harbourpost.example/2026/electric-buses-depot': 3,
      'https://litoral.example/cidades/onibus-eletrico-recife': 3,
    },
  },
  {
    query: 'electric buses in cold weather',
    relevant: {
      'https://news.harbourpost.example/2026/electric-buses-depot': 3,
      'https://litoral.example/cidades/onibus-eletrico-recife': 1,
    },
  },
  {
    query: 'pumped hydro cost and lifetime',
    relevant: {
      'https://energy.atlas.example/wiki/pumped-storage': 3,
      'https://energy.atlas.example/wiki/battery-round-trip-efficiency': 1,
      'https://gridlines.example/storage/four-hour-rule': 1,
    },
  },
  {
    query: 'how efficient are solar cells',
    relevant: {
      'https://energy.atlas.example/wiki/photovoltaics': 3,
    },
  },
  {
    query: 'sleeper trains in Europe',
    relevant: {
      'https://railtimes.example/night-trains/second-spring': 3,
      'https://tagblatt.example/verkehr/nachtzug-berlin-lyon': 3,
      'https://people.example/agathe-renaud': 2,
    },
  },
  {
    query: 'Nachtzug Fahrplan und Preise',
    relevant: {
      'https://tagblatt.example/verkehr/nachtzug-berlin-lyon': 3,
      'https://railtimes.example/night-trains/second-spring': 1,
    },
  },
  {
    query: 'digital railway signalling costs',
    relevant: {
      'https://railtimes.example/signalling/etcs-retrofit': 3,
      'https://people.example/agathe-renaud': 1,
    },
  },
  {
    query: 'getting goods off lorries and onto trains',
    relevant: {
      'https://railtimes.example/freight/single-wagon': 3,
    },
  },
  {
    query: 'cameras against cars in bus lanes',
    relevant: {
      'https://cityworks.example/streets/bus-lanes-camera': 3,
    },
  },
  {
    query: 'are painted cycle lanes safe',
    relevant: {
      'https://papers.meridian.example/2024/cycling-passing-distance': 3,
    },
  },
  {
    query: 'empty offices converted to apartments',
    relevant: {
      'https://cityworks.example/housing/office-to-homes': 3,
      'https://registry.example/companies/loft-and-lane': 3,
    },
  },
  {
    query: 'how cities cope with heavy rain',
    relevant: {
      'https://cityworks.example/water/sponge-streets': 3,
      'https://news.harbourpost.example/2026/storm-warning-app': 2,
      'https://pennywise.example/insurance/flood-cover-gap': 1,
    },
  },
  {
    query: 'cooling a city with trees and shade',
    relevant: {
      'https://climateledger.example/explainers/urban-heat-island': 3,
      'https://cityworks.example/parks/pocket-parks-count': 1,
      'https://cityworks.example/water/sponge-streets': 1,
    },
  },
  {
    query: 'heat and the health of old people',
    relevant: {
      'https://tagblatt.example/gesundheit/hitzeschutz-pflegeheime': 3,
      'https://climateledger.example/data/heat-days-2025': 2,
      'https://climateledger.example/explainers/urban-heat-island': 1,
    },
  },
  {
    query: 'flood insurance premiums',
    relevant: {
      'https://pennywise.example/insurance/flood-cover-gap': 3,
    },
  },
  {
    query: 'finding leaks in water pipes',
    relevant: {
      'https://clearwater.example/networks/acoustic-leaks': 3,
      'https://journal-eau.example/gestion/fuites-reseau': 3,
      'https://registry.example/companies/brightwater-systems': 2,
      'https://data.watergov.example/reports/leakage-2025': 2,
    },
  },
  {
    query: 'share of drinking water lost through leakage',
    relevant: {
      'https://data.watergov.example/reports/leakage-2025': 3,
      'https://journal-eau.example/gestion/fuites-reseau': 2,
      'https://clearwater.example/networks/acoustic-leaks': 2,
    },
  },
  {
    query: 'cheap desalination for villages',
    relevant: {
      'https://clearwater.example/desalination/small-plants': 3,
      'https://papers.meridian.example/2025/graphene-oxide-membranes': 2,
      'https://news.harbourpost.example/2026/clinic-by-ferry': 1,
    },
  },
  {
    query: 'membrane fouling by algae',
    relevant: {
      'https://papers.meridian.example/2025/graphene-oxide-membranes': 3,
      'https://clearwater.example/desalination/small-plants': 1,
    },
  },
  {
    query: 'using rain to flush toilets',
    relevant: {
      'https://data.watergov.example/guides/household-rainwater': 3,
    },
  },
  {
    query: 'groundwater still low after drought',
    relevant: {
      'https://news.harbourpost.example/2026/reservoir-levels': 3,
      'https://journal-eau.example/actualites/secheresse-nappes': 3,
    },
  },
  {
    query: 'watering vegetables with less water',
    relevant: {
      'https://fieldnotes.example/irrigation/drip-on-a-budget': 3,
      'https://elcampo.example/riego/placas-solares-bombeo': 1,
    },
  },
  {
    query: 'solar pumps for irrigation',
    relevant: {
      'https://elcampo.example/riego/placas-solares-bombeo': 3,
      'https://clearwater.example/desalination/small-plants': 1,
      'https://fieldnotes.example/irrigation/drip-on-a-budget': 1,
    },
  },
  {
    query: 'less methane from dairy cows',
    relevant: {
      'https://fieldnotes.example/livestock/methane-feed-additive': 3,
    },
  },
  {
    query: 'satellites that measure methane',
    relevant: {
      'https://orbitdesk.example/earth-observation/methane-satellites': 3,
      'https://registry.example/companies/farsight-orbital': 3,
    },
  },
  {
    query: 'rye as a winter cover crop',
    relevant: {
      'https://fieldnotes.example/soil/cover-crops-ten-fields': 3,
    },
  },
  {
    query: 'machines that pull weeds',
    relevant: {
      'https://fieldnotes.example/robots/weeding-robot-diary': 3,
    },
  },
  {
    query: 'why phosphate gets dearer',
    relevant: {
      'https://fieldnotes.example/prices/fertiliser-outlook': 3,
    },
  },
  {
    query: 'carbon tax on imported steel',
    relevant: {
      'https://climateledger.example/policy/carbon-border-first-year': 3,
    },
  },
  {
    query: 'where the money of green bonds goes',
    relevant: {
      'https://pennywise.example/markets/green-bonds-audit': 3,
    },
  },
  {
    query: 'simple way to invest savings',
    relevant: {
      'https://pennywise.example/basics/index-funds': 3,
    },
  },
  {
    query: 'interest rate decision and mortgages',
    relevant: {
      'https://news.harbourpost.example/2026/rates-held': 3,
    },
  },
  {
    query: 'energy bills of poor households',
    relevant: {
      'https://data.statbank.example/series/household-energy-spending': 3,
      'https://news.harbourpost.example/2026/solar-battery-record': 1,
    },
  },
  {
    query: 'water on the moon',
    relevant: {
      'https://orbitdesk.example/missions/lunar-polar-water': 3,
    },
  },
  {
    query: 'cleaning up dead satellites',
    relevant: {
      'https://orbitdesk.example/debris/who-cleans-up': 3,
    },
  },
  {
    query: 'rocket stage recovered at sea',
    relevant: {
      'https://orbitdesk.example/launch/reusable-small-rocket': 3,
    },
  },
  {
    query: 'sleep tips for night shift workers',
    relevant: {
      'https://bedside.example/sleep/shift-work': 3,
      'https://people.example/noor-siddiqui': 2,
      'https://papers.meridian.example/2026/ward-noise-recovery': 1,
    },
  },
  {
    query: 'noise at night in hospitals',
    relevant: {
      'https://papers.meridian.example/2026/ward-noise-recovery': 3,
      'https://people.example/noor-siddiqui': 3,
    },
  },
  {
    query: 'vaccination against RSV for seniors',
    relevant: {
      'https://bedside.example/vaccines/rsv-older-adults': 3,
    },
  },
  {
    query: 'foods rich in fibre',
    relevant: {
      'https://bedside.example/nutrition/fibre-made-simple': 3,
    },
  },
  {
    query: 'hearing aids you can buy without a doctor',
    relevant: {
      'https://bedside.example/hearing/aids-without-a-prescription': 3,
    },
  },
  {
    query: 'how long to wait for a hip operation',
    relevant: {
      'https://data.healthstat.example/indicators/waiting-times': 3,
    },
  },
  {
    query: 'medical care for island communities',
    relevant: {
      'https://news.harbourpost.example/2026/clinic-by-ferry': 3,
    },
  },
  {
    query: 'avoid paying twice when a request is retried',
    relevant: {
      'https://blog.devpress.example/apis/idempotency-keys': 3,
      'https://people.example/adaeze-nwosu': 2,
      'https://devpress.example/guides/postgres-queues': 1,
    },
  },
  {
    query: 'data surviving a power cut in a database',
    relevant: {
      'https://blog.devpress.example/databases/write-ahead-log': 3,
      'https://devpress.example/reference/fsync': 3,
    },
  },
  {
    query: 'background jobs with PostgreSQL',
    relevant: {
      'https://devpress.example/guides/postgres-queues': 3,
      'https://people.example/adaeze-nwosu': 2,
    },
  },
  {
    query: 'merging result lists of search engines',
    relevant: {
      'https://papers.meridian.example/2026/retrieval-fusion': 3,
    },
  },
  {
    query: 'risk of third party packages',
    relevant: {
      'https://blog.devpress.example/security/dependency-audit': 3,
    },
  },
  {
    query: 'speech recognition in court',
    relevant: {
      'https://news.harbourpost.example/2026/speech-models-court': 3,
    },
  },
  {
    query: 'fewer alarms for engineers on call',
    relevant: {
      'https://blog.devpress.example/teams/on-call-without-dread': 3,
    },
  },
  {
    query: 'electricity from ocean currents',
    relevant: {
      'https://oceanwatch.example/tidal/orkney-season-one': 3,
      'https://litoral.example/energia/eolica-flutuante': 1,
      'https://news.harbourpost.example/2026/offshore-cable-approved': 1,
    },
  },
  {
    query: 'floating wind turbines',
    relevant: {
      'https://litoral.example/energia/eolica-flutuante': 3,
      'https://gridlines.example/wind/repowering-old-sites': 1,
    },
  },
  {
    query: 'what happens to old wind turbine blades',
    relevant: {
      'https://gridlines.example/wind/repowering-old-sites': 3,
    },
  },
  {
    query: 'transplanted corals that survive heat',
    relevant: {
      'https://oceanwatch.example/reefs/coral-nursery-results': 3,
      'https://people.example/mele-tupou': 3,
    },
  },
  {
    query: 'ship noise and whales',
    relevant: {
      'https://oceanwatch.example/shipping/quiet-propellers': 3,
      'https://people.example/mele-tupou': 1,
    },
  },
  {
    query: 'lost nets on the sea floor',
    relevant: {
      'https://oceanwatch.example/fishing/ghost-nets': 3,
    },
  },
  {
    query: 'small nuclear reactors price',
    relevant: {
      'https://energy.atlas.example/wiki/small-modular-reactor': 3,
    },
  },
  {
    query: 'long wait for power transformers',
    relevant: {
      'https://gridlines.example/grid/transformer-shortage': 3,
    },
  },
  {
    query: 'precio del aceite de oliva',
    relevant: {
      'https://elcampo.example/mercados/aceite-precio': 3,
    },
  },
  {
    query: '停電 蓄電池 容量',
    relevant: {
      'https://miraitoshi.example/energy/jutaku-chikudenchi': 3,
    },
  },
];
