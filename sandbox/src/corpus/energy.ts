// Pages about generating and transporting energy: wind, heat, grids, nuclear power and their costs.
import type { SourcePage } from './page.ts';

export const energy: SourcePage[] = [
  {
    url: 'https://energy.atlas.example/wiki/photovoltaics',
    title: 'Photovoltaics: how solar cells turn light into electricity',
    published: '2023-09-05',
    language: 'en',
    country: 'US',
    topics: ['energy'],
    kind: 'reference',
    images: ['https://energy.atlas.example/media/cell-layers.svg'],
    links: ['https://energy.atlas.example/wiki/battery-round-trip-efficiency'],
    body: `
Photovoltaics is the direct conversion of light into electricity in a semiconductor. Light frees
electrons in a thin layer of silicon; a built-in electric field sends them one way, and a current
flows.

## Efficiency

A silicon cell can convert at most 29.4 percent of sunlight, a limit set by the material. Modules
sold in 2023 reached 20 to 23 percent. Tandem cells, which put a perovskite layer on silicon,
passed 33 percent in laboratories and began field trials in the same year.

## From cell to system

About 60 to 144 cells form a module of 400 to 700 watts. An inverter turns direct into alternating
current with a loss of 2 to 4 percent. A kilowatt of modules makes between 850 kilowatt-hours a
year in northern Germany and 1,900 in northern Chile.

## Ageing

Modules lose about half a percent of their output per year. Warranties usually promise 87 percent
after 25 years. Glass, aluminium and copper are recovered at the end of life; recovering silver
and silicon is technically solved and still rarely profitable.`,
  },
  {
    url: 'https://energy.atlas.example/wiki/pumped-storage',
    title: 'Pumped storage hydropower',
    published: '2024-02-20',
    language: 'en',
    country: 'US',
    topics: ['energy', 'storage', 'water'],
    kind: 'reference',
    body: `
Pumped storage moves water between two reservoirs at different heights. Surplus electricity pumps
it up; in hours of need it runs down through turbines. It is the oldest way to store energy for
the grid and still holds more than nine tenths of all stored electricity in the world.

## Principle and size

A cubic metre of water raised by 370 metres holds about one kilowatt-hour. A typical station
stores 6 to 12 hours of full power, between 1,000 and 20,000 megawatt-hours, and returns 75 to 82
percent of the energy it took.

## Closed and open loops

Open-loop stations use a river as the lower reservoir. Closed-loop stations circulate the same
water and can stand far from rivers, often in former quarries or mines. They need topping up only
for evaporation.

## Cost and time

Building takes five to eight years after a permit and costs 1,800 to 3,200 dollars per kilowatt.
The machines are rebuilt after about 40 years; dams and tunnels last a century. This long life
makes the technology cheap over time and hard to finance at the start.`,
  },
  {
    url: 'https://gridlines.example/wind/repowering-old-sites',
    title: 'Half the turbines, three times the power: repowering old wind sites',
    author: 'Joris Vantongeren',
    published: '2026-04-11',
    language: 'en',
    country: 'DK',
    topics: ['energy'],
    kind: 'article',
    body: `
The best windy hills were built on first, with small machines. Twenty-five years later their
owners face a choice: patch the old turbines or replace them. Most now replace.

## The arithmetic of height

A turbine of 1999 stood 60 metres tall and made 1.2 gigawatt-hours a year. Its successor stands
160 and makes 14. On the Jutland site we visited, 38 machines became 17, and yearly output rose
from 47 to 231 gigawatt-hours.

## What neighbours notice

Fewer, taller towers turn more slowly. Measured noise at the nearest farm fell by 4 decibels, but
the red lights are visible from 30 kilometres. The owner fitted radar that switches them on only
when an aircraft is near, at a cost of 900,000 kroner, and complaints stopped.

## Where the old ones go

Steel and copper were sold at the gate. Of 114 blades, 60 went to a cement kiln, 30 were cut into
noise barriers, and 24 still lie behind a barn. Recycling blades for new blades remains a promise;
the first plant that separates resin and fibre is due in 2027.`,
  },
  {
    url: 'https://gridlines.example/grid/transformer-shortage',
    title: 'The quiet shortage: why a transformer now takes three years',
    author: 'Ines Calloway',
    published: '2025-06-24',
    language: 'en',
    country: 'US',
    topics: ['energy', 'finance'],
    kind: 'article',
    body: `
A hospital extension in Tulsa stood finished for fourteen months without power. What was missing
was a grey steel box: a transformer ordered in 2022 and promised for 2025.

## How long the queue is

The average wait for a large power transformer reached 143 weeks this spring, against 50 before
the pandemic. Small pole-mounted units take 60 weeks. Prices have risen by 74 percent in five
years.

## Why it does not shrink

Factories run near capacity, yet owners hesitate to build more. They remember 2012, when orders
halved within a year. The bottleneck inside the bottleneck is grain-oriented steel for the cores,
made in the United States by a single mill.

## What utilities do

Some share spares through a pool that now covers 60 companies. Some rebuild old units, which takes
nine months and works for about half of them. And some have begun to order without a project in
mind, a habit that keeps the lights on and makes everybody else's queue longer.`,
  },
  {
    url: 'https://news.harbourpost.example/2026/offshore-cable-approved',
    title: 'Undersea power cable between islands wins approval after nine years',
    author: 'Tomás Weller',
    published: { days_ago: 9 },
    language: 'en',
    country: 'IE',
    topics: ['energy', 'oceans'],
    kind: 'news',
    body: `
Regulators on both sides approved a 190-kilometre power cable yesterday that will carry wind
energy between two island grids from 2031. The decision ends nine years of hearings.

## What will be built

The cable can carry 700 megawatts in either direction. It will be buried 1.5 metres deep along
most of its route and covered with rock where the sea floor is too hard. The cost is put at 1.1
billion euros, shared in proportion to the expected benefit, 58 to 42.

## Fishing grounds

Trawlers must keep away from the route for eleven weeks during laying. A fund of 14 million euros
will compensate 63 boats. The fishers' association withdrew its appeal last month after the route
was moved around a scallop bed.

## Next steps

Orders for the cable itself must be placed by March to keep a slot in the only factory with
capacity before 2030. The converter station on the western side still needs a local building
permit.`,
  },
  {
    url: 'https://papers.meridian.example/2026/heat-pump-field-study',
    title: 'Field performance of 742 air-source heat pumps in existing homes',
    author: 'S. Okonjo, M. Vlahos, E. Brandt',
    published: '2026-05-06',
    language: 'en',
    country: 'DE',
    topics: ['energy', 'cities'],
    kind: 'paper',
    links: ['https://nordic-heat.example/about'],
    body: `
## Abstract

We metered 742 air-source heat pumps in homes built before 1995 over two heating seasons. The
median seasonal performance factor was 3.3. One tenth of the systems stayed below 2.6, and in
almost all of these the cause was found and could be repaired in less than a day.

## Causes of poor performance

Four settings explained 81 percent of the gap: a heating curve set too high, an electric backup
heater that was never switched off, flow throttled by thermostatic valves, and hot water kept
above 55 degrees around the clock.

## Radiators or underfloor heating

Homes with old radiators reached 3.1, homes with underfloor heating 3.7. The difference is smaller
than installers expect, because most radiators are oversized: 64 percent of the rooms could be
heated with water below 50 degrees on the design day.

## Conclusion

A check of settings after the first winter, two hours of work, would have raised the average
efficiency of the sample by 0.3 and saved each household about 420 kilowatt-hours a year. We
recommend that subsidies require it.`,
  },
  {
    url: 'https://nordic-heat.example/about',
    title: 'Nordic Heat: district heating without flames',
    published: '2026-02-03',
    language: 'en',
    country: 'FI',
    topics: ['energy', 'cities'],
    kind: 'company',
    links: ['https://lab.northfield.example/groups/thermal/sand-battery'],
    images: ['https://nordic-heat.example/press/pump-hall.jpg'],
    body: `
Nordic Heat builds and runs district heating for towns of 2,000 to 80,000 people. We burn nothing.
Heat comes from sewage, lake water, data centres and stores of hot stone, lifted to the right
temperature by large heat pumps.

## What we operate

- 23 networks in Finland, Estonia and Sweden
- 412 kilometres of pipe and 9,800 connected buildings
- Heat pumps with a total output of 310 megawatts
- Two stone heat stores of 8 and 11 gigawatt-hours

## How we charge

Customers pay for the heat measured in their building and a fixed fee by floor area. The average
price in 2025 was 84 euros a megawatt-hour, 9 percent less than the year before. We publish the
cost of each network every spring, including the ones that lose money.

## Working with us

Towns keep the pipes; we lease and operate them for 20 years. A council can buy out the contract
after ten. We employ 340 people, half of them field technicians, and train 30 apprentices every
year in Tampere and Tartu.`,
  },
  {
    url: 'https://energy.atlas.example/wiki/small-modular-reactor',
    title: 'Small modular reactors: designs, sizes and status',
    published: '2026-08-27',
    language: 'en',
    country: 'CA',
    topics: ['energy'],
    kind: 'reference',
    body: `
A small modular reactor is a nuclear reactor with an electrical output of up to about 300
megawatts whose main parts are made in a factory. The idea is to replace the economies of size by
those of series.

## Families of design

| Family | Coolant | Outlet temperature |
|---|---|---|
| Light water | Water | 280 to 330 °C |
| High temperature gas | Helium | 700 to 850 °C |
| Molten salt | Fluoride salt | 600 to 700 °C |
| Fast | Sodium or lead | 500 to 550 °C |

## Status

By mid-2026 three units were running, eleven were under construction and more than eighty designs
were on paper. The first western unit reached full power 26 months later than planned.

## Economics

Published estimates for a first unit range from 6,000 to 13,000 dollars per kilowatt. Advocates
expect the tenth to cost half as much. Historic learning rates for nuclear plants are lower, and
whether a factory changes that is an open question, because no factory has yet built ten of one
kind.

## Uses beyond electricity

High outlet temperatures suit hydrogen production and chemical plants, which today burn gas for
heat.`,
  },
];
