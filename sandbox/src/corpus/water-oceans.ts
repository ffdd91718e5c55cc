// Pages about fresh water and the sea: supply, floods, desalination, reefs, tides and fishing.
import type { SourcePage } from './page.ts';

export const waterAndOceans: SourcePage[] = [
  {
    url: 'https://clearwater.example/desalination/small-plants',
    title: 'Sea water for the village: cheaper desalination membranes change the sum',
    author: 'Amara Odhiambo',
    published: '2026-03-14',
    language: 'en',
    country: 'KE',
    topics: ['water', 'energy'],
    kind: 'article',
    images: ['https://clearwater.example/img/membrane-rack.png'],
    links: ['https://papers.meridian.example/2025/graphene-oxide-membranes'],
    body: `
The plant in Kilifi fits into a shipping container and makes 40 cubic metres of drinking water a
day. Five years ago a plant of that size could not pay for its membranes. This one covers its
costs.

## What changed

New low-cost membranes need less pressure. A cubic metre now takes 2.4 kilowatt-hours instead of
3, and the operators clean the modules with vinegar and citric acid from the market instead of
imported chemicals. A set of membranes now costs 1,900 dollars and lasts four years.

## Running on sun

The pumps follow the solar panels: they slow down under clouds and stop at night. A raised tank
stores water rather than electricity, which is cheaper and never wears out.

## The salty remainder

Of every hundred litres of sea water, 42 become drinking water. The rest, about one and a half
times as salty as the sea, is spread over a kilometre of shore through a pipe with 200 small
holes. Measurements ten metres away show no difference from the open water.

## Price at the tap

Families pay 0.9 cents a litre, half of what the tanker used to charge. The committee that runs
the plant has put aside 6,200 dollars for its next pump.`,
  },
  {
    url: 'https://papers.meridian.example/2025/graphene-oxide-membranes',
    title: 'Fouling resistance of graphene oxide desalination membranes in open intake',
    author: 'L. Fontaine, D. Achterberg',
    published: '2025-09-17',
    language: 'en',
    country: 'FR',
    topics: ['water'],
    kind: 'paper',
    body: `
## Abstract

Membranes lose permeability when algae and minerals settle on them. We compared polyamide
membranes with and without a graphene oxide layer during 14 months of operation with untreated sea
water from an open intake at Sète.

## Results

Coated membranes lost 11 percent of their permeability, uncoated ones 37 percent. The energy
needed per cubic metre, averaged over the period, was 2.6 against 3.1 kilowatt-hours. Salt
rejection stayed above 99.5 percent for both. During a red tide in month nine the coated modules
recovered after one cleaning; the others needed three.

## Cost

The coating adds about 9 euros per square metre. At the prices of 2025 it pays for itself within
seven months where sea water is warmer than 22 degrees, and not at all in cold, clear water.

## Durability

Electron microscopy after 14 months showed intact coatings on 46 of 50 samples. The four damaged
samples came from one module that had been cleaned with chlorine against instructions. No graphene
was detected in the product water at a limit of 2 nanograms per litre.`,
  },
  {
    url: 'https://data.watergov.example/reports/leakage-2025',
    title: 'National leakage report 2025: where drinking water is lost',
    published: '2026-02-26',
    language: 'en',
    country: 'GB',
    topics: ['water', 'cities', 'finance'],
    kind: 'reference',
    links: ['https://data.watergov.example/', 'https://clearwater.example/networks/acoustic-leaks'],
    body: `
Water companies lost 2,690 million litres of treated water a day through leaks in 2025, or 19
percent of what they put into supply. That is 3 percent less than in 2024 and 6 percent above the
agreed path.

## By company

| Region | Lost per property and day | Change on 2024 |
|---|---|---|
| North coast | 88 litres | -6 % |
| Midlands | 97 litres | -2 % |
| Capital | 124 litres | +1 % |
| South west | 79 litres | -5 % |

## Why leaks persist

Half of the pipes in the capital are older than 80 years. Repairs have accelerated, but dry
summers shift clay soils and break about as many joints as are mended. Customer pipes account for
a quarter of all losses.

## Enforcement

Two companies missed their three-year average and must return 21 million pounds to customers
through lower bills. The next review, due in 2027, will measure minutes without supply as well as
litres lost.

## Method

Figures are based on night flows in 5,210 metered districts, corrected for known night use.
Companies with fewer than 95 percent working meters are estimated and marked in the data file.`,
  },
  {
    url: 'https://clearwater.example/networks/acoustic-leaks',
    title: 'Listening for leaks: how a town found 300 holes in eight weeks',
    author: 'Wanda Kirsch',
    published: '2025-10-30',
    language: 'en',
    country: 'PL',
    topics: ['water', 'cities', 'software'],
    kind: 'article',
    body: `
A leaking pipe hisses. With a microphone on every hydrant and software that compares what two of
them hear, the hiss can be placed to within a metre. The town of Nysa did this on its whole
network.

## The method

Six hundred sensors, each the size of a jam jar, recorded two minutes of sound at three in the
morning. Sound travels along iron pipes at about 1,200 metres a second and along plastic at 400,
so the delay between two sensors gives the distance. Plastic pipes need sensors every 80 metres,
iron every 250.

## The result

The crew dug 322 holes and found 301 leaks. Losses fell from 31 to 17 percent of supply within the
year. The largest leak, beneath a churchyard, had run since at least 1994.

## What went wrong

Refrigerated trucks, a fountain and one very large fish tank were taken for leaks. The software
now ignores any sound that stops between Sunday and Monday.

## What it cost

Sensors were rented for 41,000 euros. The water saved in the first year was worth 260,000, and a
planned new well is no longer needed.`,
  },
  {
    url: 'https://news.harbourpost.example/2026/reservoir-levels',
    title: 'Reservoirs back above average after wettest October in a decade',
    author: 'Eilidh Marr',
    published: { days_ago: 0.7 },
    language: 'en',
    country: 'GB',
    topics: ['water', 'climate'],
    kind: 'news',
    body: `
Reservoirs stand at 83 percent of capacity, ten points above the average for the season, after
rain on 24 of 31 days in October. The hosepipe ban that has covered four counties since July ends
on Monday.

## Fast rain, slow wells

Groundwater tells another story. At 61 of 110 monitored wells the level is still below normal,
because heavy rain runs off hard, dry soil before it can sink in. "A reservoir forgives a drought
in weeks, an aquifer in years," said hydrologist Callum Reid.

## Flooded fields

Farmers along the lower Aire lost an estimated 4,000 hectares of winter wheat to standing water.
The farmers' union asked for the flood recovery fund to be opened; the ministry said it would
decide once the fields can be inspected.

## Outlook

The forecast for the coming week is dry in the east, with showers in the west. Companies said they
would keep the new cross-country pipeline running in order to refill the southern reservoirs
before spring.`,
  },
  {
    url: 'https://oceanwatch.example/tidal/orkney-season-one',
    title: 'One winter in the current: readings from the Orkney tide-power pilot',
    author: 'Eilidh Marr',
    published: '2026-06-03',
    language: 'en',
    country: 'GB',
    topics: ['oceans', 'energy'],
    kind: 'article',
    links: ['https://oceanwatch.example/tidal/'],
    images: ['https://oceanwatch.example/img/turbine-recovery.jpg'],
    body: `
Between October and April the machine fed 1.9 gigawatt-hours into the grid, enough for about 600
island homes over the same period. The pilot team has published every reading, including the bad
weeks.

## Output

Rated power of 1.5 megawatts was reached on 140 of 182 days. The tide is predictable for
centuries, and so was the output: actual energy stayed within 4 percent of the forecast made a
year before.

## Maintenance

Repairs were the weak point. The machine sits in water that runs at nine knots, and divers or
ships can work only in the 40 minutes of slack tide. A failed pitch sensor that costs 80 pounds
kept the turbine still for 23 days.

## Wildlife

Hydrophones and cameras logged 412 seals within 50 metres and no collision. Porpoises kept a
distance while the blades turned and returned at slack water.

## Cost

The pilot's energy cost 210 pounds a megawatt-hour. The team believes an array of 20 machines with
a shared service vessel could reach 95. The next turbine, with sensors that can be changed from
the surface, goes into the water in spring.`,
  },
  {
    url: 'https://oceanwatch.example/reefs/coral-nursery-results',
    title: 'Ten years of coral nurseries: which transplants survived',
    author: 'Mele Tupou',
    published: '2024-12-05',
    language: 'en',
    country: 'AU',
    topics: ['oceans', 'climate'],
    kind: 'article',
    body: `
Since 2014 volunteers and scientists have planted 86,000 fragments of coral on the reefs we
follow. This winter divers looked for them again. About 38 percent are alive.

## Survivors have something in common

Fragments taken from colonies that had lived through the hot summer of 2016 survived twice as
often as others. Depth helped too: below nine metres 51 percent lived, above four metres only 19.

## Size and company

Pieces larger than a hand did better than twigs, and groups of six or more better than single
ones, perhaps because fish keep groups clean. Fast-growing branching corals look spectacular after
two years and are the first to die in a heatwave.

## The limits

Planting costs between 12 and 45 dollars per fragment. At that price a square kilometre would cost
tens of millions, and two hot summers in a row undo the work. Nurseries keep rare genes alive and
help small places that people love. They do not replace cooler water.

## What happens next

The next ten years will plant fewer fragments of more kinds, chosen for heat tolerance, and will
leave a third of the plots untouched as a comparison.`,
  },
  {
    url: 'https://oceanwatch.example/fishing/ghost-nets',
    title: 'Ghost nets: finding lost fishing gear with sonar and reward money',
    author: 'Jonas Vik',
    published: '2025-03-19',
    language: 'en',
    country: 'NO',
    topics: ['oceans'],
    kind: 'article',
    body: `
A net that is lost keeps fishing. In cold water nylon lasts for decades, and each autumn storm
adds more of it to the sea floor. Norway has collected lost gear since 1983 and still finds 1,000
nets a year.

## Finding them

Boats tow a sonar that sees a net as a faint curtain. Skippers also report where they lost gear,
without penalty if the report arrives within a day. Reports have tripled since a reward of 90
kroner per recovered metre was introduced in 2022.

## What is inside

Of 214 nets opened last season, 160 held fish or crabs, four fifths of them dead. Researchers
estimate that ghost gear takes 1 to 2 percent of the Greenland halibut stock each year.

## After the quay

Clean nylon is melted into pellets for carpets and office chairs. Mixed rope is the problem: it is
burned or buried. A new rule obliges makers to mark each net with its material and its owner from
2027, and a deposit of 4 percent of the price pays for taking it back.`,
  },
  {
    url: 'https://oceanwatch.example/shipping/quiet-propellers',
    title: 'Quieter ships: how slower propellers gave whales their voice back',
    author: 'Mele Tupou',
    published: '2026-10-05',
    language: 'en',
    country: 'CA',
    topics: ['oceans', 'transport'],
    kind: 'article',
    body: `
Ships are loud below the surface because bubbles form and collapse at the tips of their
propellers. In the straits off Vancouver a voluntary limit of 11 knots has been in force each
summer since 2017, and hydrophones have recorded what it does.

## The measurements

At 11 knots a container ship is 9 decibels quieter than at 17, which means one eighth of the sound
energy. Resident killer whales hunted for 22 percent more of the time on days when most ships kept
to the limit.

## The cost of slowing down

A ship loses 48 minutes in the strait and saves between 3 and 6 tonnes of fuel. Pilots first
opposed the limit because slow ships are hard to steer in strong currents; an exception for spring
tides settled it.

## New blades

Slowing is free but temporary. Propellers with more, narrower blades cut noise at any speed.
Eleven ferries have been refitted at 1.1 million dollars each, and the yard reports that vibration
complaints from passengers fell by two thirds.`,
  },
  {
    url: 'https://data.watergov.example/guides/household-rainwater',
    title: 'Collecting rainwater at home: sizes, filters and rules',
    language: 'en',
    country: 'GB',
    topics: ['water', 'cities'],
    kind: 'reference',
    body: `
A roof of 60 square metres in a place with 700 millimetres of rain sheds about 34,000 litres a
year after losses. A household of three uses 30,000 litres to flush toilets. The figures fit well;
the timing is what the tank is for.

## Choosing a tank

Take one twentieth of the yearly harvest or of the yearly demand, whichever is smaller. For the
house above that is 1,500 litres. Doubling the tank adds only about 8 percent to the water used,
because in wet months it overflows and in dry months it stays empty.

## Filters

A downpipe filter with a mesh of 0.6 millimetres keeps leaves out. Let the inlet enter the tank
from below so that sediment stays settled, and draw water from a float just below the surface.

## Rules

Rainwater must never be connected to the drinking supply. Pipes are marked, outlets are labelled,
and the top-up from the mains falls freely into the tank through an air gap of at least 20
millimetres. An inspection is required when the system feeds anything indoors.`,
  },
];
